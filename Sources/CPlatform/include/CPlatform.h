#pragma once

#include <fcntl.h>
#include <sys/types.h>

/// `ioctl(destination, FICLONE, source)`: shares the blocks of a file where the file system can.
/// Returns 0, or -1 with `errno` set (`EOPNOTSUPP` where there is no such call).
int cplatform_clone_file(int destination, int source);
