#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "CPlatform.h"

#include <errno.h>
#include <sys/xattr.h>

#ifdef __linux__
#include <linux/fs.h>
#include <sys/ioctl.h>
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

// Darwin's calls have a position and options more (untested).
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
