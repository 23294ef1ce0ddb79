#ifdef __linux__
#define _GNU_SOURCE

#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/statfs.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

int cplatform_clone_file(int destination, int source) {
#ifdef FICLONE
  return ioctl(destination, FICLONE, source);
#else
  (void)destination, (void)source;
  errno = EOPNOTSUPP;
  return -1;
#endif
}

int cplatform_clone_as(int folder, const char *name, int source) {
  (void)folder, (void)name, (void)source;
  errno = EOPNOTSUPP;
  return -1;
}

long long cplatform_copy_range(int destination, int source, long long offset, size_t count) {
  loff_t from = offset;
  loff_t to = offset;
  return copy_file_range(source, &from, destination, &to, count, 0);
}

void cplatform_begin_writing(int file) { sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE); }

int cplatform_synchronize(int file) { return fsync(file); }

long long cplatform_list_attributes(int file, char *names, size_t count) {
  return flistxattr(file, names, count);
}

long long cplatform_get_attribute(int file, const char *name, void *value, size_t count) {
  return fgetxattr(file, name, value, count);
}

int cplatform_set_attribute(int file, const char *name, const void *value, size_t count) {
  return fsetxattr(file, name, value, count, 0);
}

// Access control lists are extended attributes.
int cplatform_copy_access_list(int destination, int source) {
  (void)destination, (void)source;
  return 0;
}

int cplatform_is_protected(int file) {
  // The kernel stores an int, although the request's number says long.
  long flags = 0;
  if (ioctl(file, FS_IOC_GETFLAGS, &flags) != 0) return 0;
  return ((int)flags & (FS_IMMUTABLE_FL | FS_APPEND_FL)) != 0;
}

int cplatform_keeps_owners(int file) {
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
}
#else
typedef int another_system;
#endif
