#pragma once

#include <stdio.h>
#include <string.h>

#include "files.h"
#include "pieces.h"

// A VFS that wraps one of SQLite's, so that its files use the methods of this module.
struct csqlite_vfs {
  sqlite3_vfs own;
  sqlite3_vfs *base;
};

static inline void csqlite_set_methods(sqlite3_io_methods *own) {
  own->xClose = csqlite_close;
  own->xRead = csqlite_read;
  own->xWrite = csqlite_write;
  own->xTruncate = csqlite_truncate;
  own->xSync = csqlite_sync;
  own->xFileSize = csqlite_size;
  own->xLock = csqlite_lock;
  own->xUnlock = csqlite_unlock;
  own->xFileControl = csqlite_control;
  if (own->iVersion >= 3) own->xFetch = csqlite_fetch;
}

// Returns the methods of this module on top of SQLite's. Each kind of locking has its own methods,
// so the table is small. Returns NULL if it is full.
static inline const sqlite3_io_methods *csqlite_methods_above(const sqlite3_io_methods *base, size_t offset) {
  static struct csqlite_methods kinds[16];
  const sqlite3_io_methods *found = NULL;
  sqlite3_mutex *mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_APP1);
  sqlite3_mutex_enter(mutex);
  for (size_t number = 0; number < sizeof kinds / sizeof *kinds && !found; number++) {
    struct csqlite_methods *methods = &kinds[number];
    if (!methods->base) {
      *methods = (struct csqlite_methods){.own = *base, .base = base, .offset = offset};
      csqlite_set_methods(&methods->own);
    }
    if (methods->base == base && methods->offset == offset) found = &methods->own;
  }
  sqlite3_mutex_leave(mutex);
  return found;
}

// The size of the wrapped VFS's file structure, rounded up.
static inline size_t csqlite_offset(const sqlite3_vfs *base) {
  return ((size_t)base->szOsFile + 15) & ~(size_t)15;
}

static inline int csqlite_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *opened) {
  sqlite3_vfs *base = ((struct csqlite_vfs *)(void *)vfs)->base;
  int code = base->xOpen(vfs, name, file, flags, opened);
  if (code != SQLITE_OK || !file->pMethods) return code;
  const sqlite3_io_methods *methods = csqlite_methods_above(file->pMethods, csqlite_offset(base));
  if (!methods) {
    file->pMethods->xClose(file);
    file->pMethods = NULL;
    return SQLITE_CANTOPEN;
  }
  file->pMethods = methods;
  struct csqlite_file *known = csqlite_known(file);
  *known = (struct csqlite_file){0};
  // Only the name of a main database has URI parameters.
  if (name && flags & SQLITE_OPEN_MAIN_DB) {
    known->gathers = sqlite3_uri_boolean(name, "alone", 0);
    known->is_alone = known->gathers || sqlite3_uri_boolean(name, "immutable", 0);
  }
  return SQLITE_OK;
}

// Returns whether a file begins as a rollback journal does:
// <https://www.sqlite.org/fileformat.html#the_rollback_journal>. A file that can't be read counts as
// one.
static inline int csqlite_is_journal(const char *path) {
  static const unsigned char magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
  unsigned char found[sizeof magic];
  FILE *file = fopen(path, "rb");
  if (!file) return 1;
  int is_journal = fread(found, 1, sizeof found, file) == sizeof found
    ? memcmp(found, magic, sizeof magic) == 0 : ferror(file) != 0;
  fclose(file);
  return is_journal;
}

// A journal is hot only if its header is well-formed (<https://www.sqlite.org/atomiccommit.html>,
// 4.2). SQLite takes any file for one that begins with another byte than 0, doesn't read past it
// without write access, and with it removes the file. So such a file counts as missing.
static inline int csqlite_access(sqlite3_vfs *vfs, const char *name, int flags, int *found) {
  static const char ending[] = "-journal";
  sqlite3_vfs *base = ((struct csqlite_vfs *)(void *)vfs)->base;
  int code = base->xAccess(vfs, name, flags, found);
  size_t count = strlen(name);
  if (code != SQLITE_OK || flags != SQLITE_ACCESS_EXISTS || !*found || count < sizeof ending) {
    return code;
  }
  if (!strcmp(name + count - (sizeof ending - 1), ending)) *found = csqlite_is_journal(name);
  return code;
}

static inline int csqlite_register(struct csqlite_vfs *system, const char *name, sqlite3_vfs *base) {
  if (!base) return SQLITE_ERROR;
  system->own = *base;
  system->own.pNext = NULL;
  system->own.zName = name;
  system->own.szOsFile = (int)(csqlite_offset(base) + sizeof(struct csqlite_file));
  system->own.xOpen = csqlite_open;
  system->own.xAccess = csqlite_access;
  system->base = base;
  return sqlite3_vfs_register(&system->own, 0);
}

// Registers the VFSs once, before the first file is opened: `whole` on top of the default VFS, and
// `whole-none` on top of the one that takes no locks. They aren't the default, so other users of
// SQLite in this process aren't affected. Their files count the bytes that they read.
static inline int csqlite_register_file_systems(sqlite3_int64 *bytes_read) {
  *csqlite_bytes_read() = bytes_read;
  static struct csqlite_vfs usual, none;
  int code = csqlite_register(&usual, "whole", sqlite3_vfs_find(NULL));
  return code != SQLITE_OK
    ? code : csqlite_register(&none, "whole-none", sqlite3_vfs_find("unix-none"));
}
