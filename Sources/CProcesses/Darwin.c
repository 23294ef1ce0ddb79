#ifdef __APPLE__
#include "CProcesses.h"

#include <TargetConditionals.h>
#include <mach-o/dyld.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/event.h>
#include <unistd.h>

#if TARGET_OS_OSX
#include <libproc.h>
#endif

static void *wait_for_parent(void *argument) {
  int queue = kqueue();
  struct kevent end;
  EV_SET(&end, (pid_t)(intptr_t)argument, EVFILT_PROC, EV_ADD, NOTE_EXIT, 0, NULL);
  // Registering fails if the parent has ended already.
  if (kevent(queue, &end, 1, &end, 1, NULL) != 0 || getppid() != (pid_t)(intptr_t)argument) raise(SIGKILL);
  return NULL;
}

void cprocesses_end_with_parent(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, wait_for_parent, (void *)(intptr_t)getppid()) == 0)
    pthread_detach(thread);
}

int cprocesses_program_path(char *path, unsigned size) { return _NSGetExecutablePath(path, &size); }

#if TARGET_OS_OSX
int cprocesses_list(int *processes, int count) {
  return proc_listallpids(processes, count * (int)sizeof *processes);
}

int cprocesses_has_open(int process, unsigned device, unsigned long long inode) {
  int size = proc_pidinfo(process, PROC_PIDLISTFDS, 0, NULL, 0), found = 0;
  struct proc_fdinfo *all = size > 0 ? malloc((size_t)size) : NULL;
  if (!all) return 0;
  size = proc_pidinfo(process, PROC_PIDLISTFDS, 0, all, size);
  for (int number = 0; number < size / (int)sizeof *all && !found; number++) {
    struct vnode_fdinfo file;
    if (all[number].proc_fdtype != PROX_FDTYPE_VNODE) continue;
    int length = proc_pidfdinfo(process, all[number].proc_fd, PROC_PIDFDVNODEINFO, &file, sizeof file);
    found = length == (int)sizeof file && file.pvi.vi_stat.vst_dev == device &&
      file.pvi.vi_stat.vst_ino == inode;
  }
  free(all);
  return found;
}

int cprocesses_name(int process, unsigned char *name, unsigned size) {
  return proc_name(process, name, size);
}
#endif
#else
typedef int another_system;
#endif
