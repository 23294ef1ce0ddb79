#include "CPlatform.h"

#include <errno.h>

#ifdef __linux__
#include <linux/fs.h>
#include <sys/ioctl.h>
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
