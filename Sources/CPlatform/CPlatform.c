#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "CPlatform.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#ifdef __linux__
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/statfs.h>
#include <sys/types.h>
#include <unistd.h>
#endif

int cplatform_clone_file(int destination, int source) {
#ifdef FICLONE
  return ioctl(destination, FICLONE, source);
#else
  (void)destination;
  (void)source;
  errno = EOPNOTSUPP;
  return -1;
#endif
}

long long cplatform_copy_range(int destination, int source, long long offset, size_t count) {
#ifdef __linux__
  loff_t from = offset;
  loff_t to = offset;
  return copy_file_range(source, &from, destination, &to, count, 0);
#else
  (void)destination;
  (void)source;
  (void)offset;
  (void)count;
  errno = ENOSYS;
  return -1;
#endif
}

// Darwin's calls take a position and options as well (untested).
#ifdef __APPLE__
#define MORE , 0, 0
#define OPTIONS , 0
#else
#define MORE
#define OPTIONS
#endif

long long cplatform_list_attributes(int file, char *names, size_t count) {
  return flistxattr(file, names, count OPTIONS);
}

long long cplatform_get_attribute(int file, const char *name, void *value, size_t count) {
  return fgetxattr(file, name, value, count MORE);
}

int cplatform_set_attribute(int file, const char *name, const void *value, size_t count) {
#ifdef __APPLE__
  return fsetxattr(file, name, value, count, 0, 0);
#else
  return fsetxattr(file, name, value, count, 0);
#endif
}

int cplatform_is_protected(int file) {
#if defined(__linux__)
  // The kernel stores an int, although the request's number says long.
  long flags = 0;
  if (ioctl(file, FS_IOC_GETFLAGS, &flags) != 0) return 0;
  return ((int)flags & (FS_IMMUTABLE_FL | FS_APPEND_FL)) != 0;
#elif defined(__APPLE__)
  struct stat status;
  if (fstat(file, &status) != 0) return 0;
  return (status.st_flags & (UF_IMMUTABLE | UF_APPEND | SF_IMMUTABLE | SF_APPEND)) != 0;
#else
  (void)file;
  return 0;
#endif
}

int cplatform_keeps_owners(int file) {
#if defined(__linux__)
  struct statfs status;
  if (fstatfs(file, &status) != 0) return 0;
  switch ((unsigned long)status.f_type) {
  case EXT4_SUPER_MAGIC:
  case XFS_SUPER_MAGIC:
  case BTRFS_SUPER_MAGIC:
  case F2FS_SUPER_MAGIC:
  case TMPFS_MAGIC:
  case OVERLAYFS_SUPER_MAGIC: return 1;
  default: return 0;
  }
#else
  // Where Darwin ignores owners, each file seems to be the user's (untested).
  (void)file;
  return 1;
#endif
}

struct thread_start {
  void (*work)(void *);
  void *argument;
};

static void *run_thread(void *argument) {
  struct thread_start start = *(struct thread_start *)argument;
  free(argument);
  start.work(start.argument);
  return NULL;
}

int cplatform_begin_thread(void (*work)(void *), void *argument, size_t *thread) {
  struct thread_start *start = malloc(sizeof *start);
  if (!start) return ENOMEM;
  *start = (struct thread_start){work, argument};
  pthread_attr_t attributes;
  pthread_t number;
  int code = pthread_attr_init(&attributes);
  if (code == 0) {
    pthread_attr_setstacksize(&attributes, 8 << 20);
    code = pthread_create(&number, &attributes, run_thread, start);
    pthread_attr_destroy(&attributes);
  }
  if (code != 0) free(start);
  // `pthread_t` is a number on Linux and a pointer on Darwin.
  else *thread = (size_t)number;
  return code;
}

void cplatform_join_thread(size_t thread) { pthread_join((pthread_t)thread, NULL); }

void cplatform_begin_writing(int file) {
#ifdef __linux__
  sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
  (void)file;
#endif
}

int cplatform_holds(const void *bytes, size_t count, const void *text, size_t length) {
  return memmem(bytes, count, text, length) != NULL;
}

static volatile sig_atomic_t noted_signal;

static void note_signal(int number) {
  if (!noted_signal) noted_signal = number;
}

void cplatform_note_stop_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = note_signal;
  // After the first signal, the default action is back.
  action.sa_flags = SA_RESTART | SA_RESETHAND;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  // A program inherits blocked signals from the thread that starts it.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

int cplatform_noted_signal(void) { return noted_signal; }

void cplatform_end_with_parent(void) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}
