#ifdef __APPLE__
#include "CPlatform.h"

#include <TargetConditionals.h>
#include <copyfile.h>
#include <errno.h>
#include <fcntl.h>
#include <mach-o/dyld.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/clonefile.h>
#include <sys/event.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#if TARGET_OS_OSX
#include <libproc.h>
#endif

// APFS clones a file only as a new one.
int cplatform_clone_file(int destination, int source) {
  (void)destination, (void)source;
  errno = ENOTSUP;
  return -1;
}

int cplatform_clone_as(int folder, const char *name, int source) {
  return fclonefileat(source, folder, name, 0);
}

long long cplatform_copy_range(int destination, int source, long long offset, size_t count) {
  (void)destination, (void)source, (void)offset, (void)count;
  errno = ENOSYS;
  return -1;
}

void cplatform_begin_writing(int file) { (void)file; }

// `fsync` leaves the bytes in the drive's cache. Some file systems have nothing else.
int cplatform_synchronize(int file) { return fcntl(file, F_FULLFSYNC) == 0 ? 0 : fsync(file); }

long long cplatform_list_attributes(int file, char *names, size_t count) {
  return flistxattr(file, names, count, 0);
}

long long cplatform_get_attribute(int file, const char *name, void *value, size_t count) {
  return fgetxattr(file, name, value, count, 0, 0);
}

int cplatform_set_attribute(int file, const char *name, const void *value, size_t count) {
  return fsetxattr(file, name, value, count, 0, 0);
}

int cplatform_copy_access_list(int destination, int source) {
  return fcopyfile(source, destination, NULL, COPYFILE_ACL);
}

int cplatform_is_protected(int file) {
  struct stat status;
  if (fstat(file, &status) != 0) return 0;
  return (status.st_flags & (UF_IMMUTABLE | UF_APPEND | SF_IMMUTABLE | SF_APPEND)) != 0;
}

static void *wait_for_parent(void *argument) {
  int queue = kqueue();
  struct kevent end;
  EV_SET(&end, (pid_t)(intptr_t)argument, EVFILT_PROC, EV_ADD, NOTE_EXIT, 0, NULL);
  // Registering fails if the parent has ended already.
  if (kevent(queue, &end, 1, &end, 1, NULL) != 0 || getppid() != (pid_t)(intptr_t)argument) raise(SIGKILL);
  return NULL;
}

void cplatform_end_with_parent(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, wait_for_parent, (void *)(intptr_t)getppid()) == 0)
    pthread_detach(thread);
}

int cplatform_program_path(char *path, unsigned size) { return _NSGetExecutablePath(path, &size); }

#if TARGET_OS_OSX
int cplatform_list_processes(int *processes, int count) {
  return proc_listallpids(processes, count * (int)sizeof *processes);
}

int cplatform_has_open(int process, unsigned device, unsigned long long inode) {
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

int cplatform_process_name(int process, unsigned char *name, unsigned size) {
  return proc_name(process, name, size);
}
#endif

int cplatform_keeps_owners(int file) {
  // Where Darwin ignores owners, each file seems to be the user's (untested).
  (void)file;
  return 1;
}
#else
typedef int another_system;
#endif
