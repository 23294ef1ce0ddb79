#pragma once

// No system header here: its types would belong to this module instead of the C library's.
#include <stddef.h>

/// `ioctl(destination, FICLONE, source)`: shares the blocks of a file where the file system can.
/// Returns 0, or -1 with `errno` set (`EOPNOTSUPP` where there is no such call).
int cplatform_clone_file(int destination, int source);

/// `copy_file_range` from one offset to the same offset in another file.
/// Returns the number of bytes copied, or -1 with `errno` set (`ENOSYS` where there is no such
/// call).
long long cplatform_copy_range(int destination, int source, long long offset, size_t count);

/// `flistxattr`, `fgetxattr` and `fsetxattr`, which Swift's module of the C library leaves out.
/// Each returns -1 with `errno` set where it fails.
long long cplatform_list_attributes(int file, char *names, size_t count);
long long cplatform_get_attribute(int file, const char *name, void *value, size_t count);
int cplatform_set_attribute(int file, const char *name, const void *value, size_t count);

/// `pthread_create` with a stack of 8 MiB, which a main thread has everywhere.
/// Returns 0 with the thread, or an error number; `cplatform_join_thread` waits for its end.
int cplatform_begin_thread(void (*work)(void *), void *argument, size_t *thread);
void cplatform_join_thread(size_t thread);

/// `sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE)`; nothing where there is no such call.
void cplatform_begin_writing(int file);

/// `memmem`, which Swift's module of the C library leaves out: 1 if the text stands in the bytes.
int cplatform_holds(const void *bytes, size_t count, const void *text, size_t length);

/// `prctl(PR_SET_PDEATHSIG, SIGKILL)`; nothing where there is no such call.
void cplatform_end_with_parent(void);
