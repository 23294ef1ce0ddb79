#ifdef __linux__
#define _GNU_SOURCE

#include "CProcesses.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

void cprocesses_end_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }

int cprocesses_program_path(char *path, unsigned size) {
  ssize_t count = readlink("/proc/self/exe", path, size - 1);
  if (count < 0) return -1;
  path[count] = 0;
  return 0;
}
#else
typedef int another_system;
#endif
