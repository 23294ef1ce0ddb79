// Preloaded into the tool, it makes SQLite watch its open files as Apple's does: once an open file was
// linked, renamed, unlinked or replaced, every call on it but the closing one returns
// SQLITE_IOERR_VNODE. Events are noted in the file that WATCHED_FILES names, a line each. With
// WATCHED_COPIES=1, linking fails.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define IOERR_VNODE (SQLITE_IOERR | 27 << 8)

struct watched {
  const sqlite3_io_methods *base;
  struct watched *next;
  dev_t device;
  ino_t inode;
  int is_changed;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct watched *all;
static sqlite3_vfs usual, none;
static const sqlite3_vfs *original;
static size_t offset;

static struct watched *watched(sqlite3_file *file) { return (struct watched *)((char *)file + offset); }

static void note(const char *format, ...) {
  const char *path = getenv("WATCHED_FILES");
  FILE *notes = path ? fopen(path, "a") : NULL;
  if (!notes) return;
  va_list arguments;
  va_start(arguments, format);
  vfprintf(notes, format, arguments);
  va_end(arguments);
  fclose(notes);
}

static int is_changed(sqlite3_file *file, const char *call) {
  pthread_mutex_lock(&mutex);
  int changed = watched(file)->is_changed;
  pthread_mutex_unlock(&mutex);
  if (changed) note("failed: %s\n", call);
  return changed;
}

#define FORWARD(name, parameters, ...) \
  static int watched_##name parameters { \
    return is_changed(file, #name) ? IOERR_VNODE : watched(file)->base->name(__VA_ARGS__); \
  }
FORWARD(xRead, (sqlite3_file *file, void *bytes, int count, sqlite3_int64 at), file, bytes, count, at)
FORWARD(xWrite, (sqlite3_file *file, const void *bytes, int count, sqlite3_int64 at), file, bytes, count, at)
FORWARD(xTruncate, (sqlite3_file *file, sqlite3_int64 size), file, size)
FORWARD(xSync, (sqlite3_file *file, int flags), file, flags)
FORWARD(xFileSize, (sqlite3_file *file, sqlite3_int64 *size), file, size)
FORWARD(xLock, (sqlite3_file *file, int lock), file, lock)
FORWARD(xUnlock, (sqlite3_file *file, int lock), file, lock)
FORWARD(xCheckReservedLock, (sqlite3_file *file, int *is_locked), file, is_locked)

static int watched_xClose(sqlite3_file *file) {
  pthread_mutex_lock(&mutex);
  for (struct watched **place = &all; *place; place = &(*place)->next) {
    if (*place != watched(file)) continue;
    *place = (*place)->next;
    break;
  }
  pthread_mutex_unlock(&mutex);
  return watched(file)->base->xClose(file);
}

static const sqlite3_io_methods *methods(const sqlite3_io_methods *base) {
  // Each kind of locking has methods of its own.
  static struct { const sqlite3_io_methods *base; sqlite3_io_methods own; } kinds[16];
  for (int number = 0; number < 16; number++) {
    if (kinds[number].base == base) return &kinds[number].own;
    if (kinds[number].base) continue;
    sqlite3_io_methods *own = &kinds[number].own;
    *own = *base;
    own->xClose = watched_xClose, own->xRead = watched_xRead, own->xWrite = watched_xWrite;
    own->xTruncate = watched_xTruncate, own->xSync = watched_xSync, own->xFileSize = watched_xFileSize;
    own->xLock = watched_xLock, own->xUnlock = watched_xUnlock;
    own->xCheckReservedLock = watched_xCheckReservedLock;
    kinds[number].base = base;
    return own;
  }
  abort();
}

static int watched_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *opened) {
  int code = original->xOpen(vfs, name, file, flags, opened);
  struct stat status;
  if (code != SQLITE_OK || !file->pMethods) return code;
  struct watched *own = watched(file);
  *own = (struct watched){.base = file->pMethods};
  if (name && stat(name, &status) == 0) own->device = status.st_dev, own->inode = status.st_ino;
  pthread_mutex_lock(&mutex);
  file->pMethods = methods(own->base);
  own->next = all;
  all = own;
  pthread_mutex_unlock(&mutex);
  return code;
}

static void wrap(sqlite3_vfs *own, const char *base, const char *name, int is_default) {
  original = sqlite3_vfs_find(base);
  offset = ((size_t)original->szOsFile + 15) & ~(size_t)15;
  *own = *original;
  own->zName = name;
  own->pNext = NULL;
  own->szOsFile = (int)(offset + sizeof(struct watched));
  own->xOpen = watched_open;
  sqlite3_vfs_register(own, is_default);
}

__attribute__((constructor)) static void begin(void) {
  wrap(&none, "unix-none", "unix-none", 0);
  wrap(&usual, NULL, "watched", 1);
}

// Marks open files that have an identity as changed.
static void changed(const struct stat *status, const char *call) {
  pthread_mutex_lock(&mutex);
  for (struct watched *file = all; file; file = file->next) {
    if (file->inode != status->st_ino || file->device != status->st_dev || !file->inode) continue;
    if (!file->is_changed) note("changed: %s\n", call);
    file->is_changed = 1;
  }
  pthread_mutex_unlock(&mutex);
}

#define REAL(name) __typeof__(name) *real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static int has(int folder, const char *name, struct stat *status) {
  return fstatat(folder, name, status, AT_SYMLINK_NOFOLLOW) == 0;
}

int linkat(int folder, const char *name, int other, const char *new_name, int flags) {
  REAL(linkat);
  struct stat status;
  const char *copies = getenv("WATCHED_COPIES");
  if (copies && *copies == '1') return errno = EPERM, -1;
  int is_there = has(folder, name, &status), code = real(folder, name, other, new_name, flags);
  if (code == 0 && is_there) changed(&status, "link");
  return code;
}

int renameat(int folder, const char *name, int other, const char *new_name) {
  REAL(renameat);
  struct stat status, replaced;
  int is_there = has(folder, name, &status), has_other = has(other, new_name, &replaced);
  int code = real(folder, name, other, new_name);
  if (code == 0 && is_there) changed(&status, "rename");
  if (code == 0 && has_other) changed(&replaced, "replace");
  return code;
}

int unlinkat(int folder, const char *name, int flags) {
  REAL(unlinkat);
  struct stat status;
  int is_there = has(folder, name, &status), code = real(folder, name, flags);
  if (code == 0 && is_there) changed(&status, "unlink");
  return code;
}

int link(const char *name, const char *new_name) {
  return linkat(AT_FDCWD, name, AT_FDCWD, new_name, 0);
}
int rename(const char *name, const char *new_name) {
  return renameat(AT_FDCWD, name, AT_FDCWD, new_name);
}
int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }
