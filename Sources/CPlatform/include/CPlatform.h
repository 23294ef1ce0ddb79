#pragma once

// Include no system header here: its types would belong to this module, not to the C library's.
#include <stddef.h>

/// Shares the blocks of a file with another: `ioctl(destination, FICLONE, source)`.
/// Returns 0, or -1 with `errno` set. `errno` is `EOPNOTSUPP` on systems without the call.
int cplatform_clone_file(int destination, int source);

/// Makes a new file that shares the blocks of another: Darwin's `fclonefileat`.
/// Returns 0, or -1 with `errno` set. `errno` is `EOPNOTSUPP` on systems without the call.
int cplatform_clone_as(int folder, const char *name, int source);

/// Copies bytes to the same offset of another file: `copy_file_range`.
/// Returns the number of bytes copied, or -1 with `errno` set. `errno` is `ENOSYS` on systems
/// without the call.
long long cplatform_copy_range(int destination, int source, long long offset, size_t count);

/// `flistxattr`, `fgetxattr` and `fsetxattr`, which Swift's C library module doesn't export.
/// Each returns -1 with `errno` set if it fails.
long long cplatform_list_attributes(int file, char *names, size_t count);
long long cplatform_get_attribute(int file, const char *name, void *value, size_t count);
int cplatform_set_attribute(int file, const char *name, const void *value, size_t count);

/// Copies the access control list of a file: Darwin's `fcopyfile`. Returns 0, or -1 with `errno` set.
/// Does nothing on Linux, where the list is an extended attribute.
int cplatform_copy_access_list(int destination, int source);

/// Returns 1 if a file or folder is immutable or append-only: `FS_IOC_GETFLAGS`, on Darwin `fstat`.
/// Returns 0 if it isn't, or if the file system has no such flags.
int cplatform_is_protected(int file);

/// Returns 1 if a file's system keeps an owner for each file, and gives new files the user's:
/// `fstatfs`, by a list of types. Returns 0 for other types, and if the type can't be read.
int cplatform_keeps_owners(int file);

/// Starts a thread with a stack of 8 MiB, the default size of a main thread: `pthread_create`.
/// Returns 0 and stores the thread, or returns an error number. `cplatform_join_thread` waits for
/// the thread's end.
int cplatform_begin_thread(void (*work)(void *), void *argument, size_t *thread);
void cplatform_join_thread(size_t thread);

/// Returns the thread that calls: `pthread_self`, which is a number on Linux and a pointer on Darwin.
size_t cplatform_this_thread(void);

/// Starts writing a file's dirty pages: `sync_file_range` with `SYNC_FILE_RANGE_WRITE`.
/// Does nothing on systems without the call.
void cplatform_begin_writing(int file);

/// Syncs a file or folder to the disk: `fsync`, on Darwin `fcntl` with `F_FULLFSYNC`.
/// Returns 0, or -1 with `errno` set.
int cplatform_synchronize(int file);

/// Returns 1 if `text` occurs in `bytes`: `memmem`, which Swift's C library module doesn't export.
int cplatform_holds(const void *bytes, size_t count, const void *text, size_t length);

/// Notes a signal, if none was noted before. A signal handler may call it.
void cplatform_note_signal(int number);

/// Returns the number of the first signal noted, or 0.
int cplatform_noted_signal(void);
