#ifdef __APPLE__
#include "CPlatform.h"

#include <copyfile.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/clonefile.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

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

int cplatform_keeps_owners(int file) {
  // Where Darwin ignores owners, each file seems to be the user's (untested).
  (void)file;
  return 1;
}
#else
typedef int another_system;
#endif
