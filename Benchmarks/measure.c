// Runs a command and reports its time and resources.
//
//   measure FILE COMMAND ARGUMENT…    writes seconds, CPU seconds, peak KiB and bytes written to FILE
//
// The program is small because a child's peak memory is at least that of the process that forks it.

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

static double present(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// A process that ended but wasn't waited for still has its /proc files.
static long long bytes_written(pid_t child) {
  char path[64], text[1024] = "";
  snprintf(path, sizeof path, "/proc/%d/io", child);
  FILE *file = fopen(path, "r");
  if (!file) return -1;
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  const char *line = strstr(text, "\nwrite_bytes: ");
  return line ? atoll(line + strlen("\nwrite_bytes: ")) : -1;
}

int main(int count, char **arguments) {
  if (count < 3) return 64;
  double start = present();
  pid_t child = fork();
  if (child == 0) {
    execvp(arguments[2], arguments + 2);
    _exit(127);
  }
  siginfo_t ended;
  if (child < 0 || waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT)) return 71;
  double duration = present() - start;
  long long written = bytes_written(child);
  struct rusage usage;
  int status;
  wait4(child, &status, 0, &usage);
  FILE *file = fopen(arguments[1], "w");
  if (!file) return 73;
  fprintf(file, "%.6f %.6f %ld %lld\n", duration, seconds(usage.ru_utime) + seconds(usage.ru_stime),
          usage.ru_maxrss, written);
  fclose(file);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 71;
}
