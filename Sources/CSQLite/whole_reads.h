#pragma once

#include <sqlite3.h>
#include <stddef.h>

// SQLite takes a page as zeros that a read returns less of, as it may lie behind the file's end
// (`readDbPage` in pager.c). A read that ends before the file does is made again here and, if it ends there
// again, fails: else zeros would be data.

// The methods of a kind of file, with one that reads whole.
struct csqlite_methods {
  sqlite3_io_methods own;
  const sqlite3_io_methods *base;
};

// A file system of SQLite's whose files have such methods.
struct csqlite_vfs {
  sqlite3_vfs own;
  sqlite3_vfs *base;
};

static inline int csqlite_read_whole(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  const struct csqlite_methods *methods = (const struct csqlite_methods *)(const void *)file->pMethods;
  for (int attempt = 0; attempt < 2; attempt++) {
    int code = methods->base->xRead(file, bytes, count, offset);
    if (code != SQLITE_IOERR_SHORT_READ) return code;
    sqlite3_int64 size = 0;
    int answer = methods->base->xFileSize(file, &size);
    if (answer != SQLITE_OK) return answer;
    if (size < offset + count) return code;
  }
  return SQLITE_IOERR_READ;
}

// Each kind of locking has methods of its own; there are few.
static inline const sqlite3_io_methods *csqlite_methods_reading_whole(const sqlite3_io_methods *base) {
  static struct csqlite_methods known[16];
  const sqlite3_io_methods *found = base;
  sqlite3_mutex *mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_APP1);
  sqlite3_mutex_enter(mutex);
  for (size_t place = 0; place < sizeof known / sizeof *known; place++) {
    if (!known[place].base) {
      known[place].own = *base;
      known[place].own.xRead = csqlite_read_whole;
      known[place].base = base;
    }
    if (known[place].base == base) {
      found = &known[place].own;
      break;
    }
  }
  sqlite3_mutex_leave(mutex);
  return found;
}

static inline int csqlite_open_reading_whole(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *opened) {
  int code = ((struct csqlite_vfs *)(void *)vfs)->base->xOpen(vfs, name, file, flags, opened);
  if (code == SQLITE_OK && file->pMethods)
    file->pMethods = csqlite_methods_reading_whole(file->pMethods);
  return code;
}

static inline int csqlite_register_reading_whole(
    struct csqlite_vfs *system, const char *name, sqlite3_vfs *base) {
  if (!base) return SQLITE_ERROR;
  system->own = *base;
  system->own.pNext = NULL;
  system->own.zName = name;
  system->own.xOpen = csqlite_open_reading_whole;
  system->base = base;
  return sqlite3_vfs_register(&system->own, 0);
}

// Registers such file systems beside SQLite's own, once, before the first file is opened: `whole` for the usual
// one, and `whole-none` for the one that takes no locks. Whoever else uses SQLite in the process keeps his.
static inline int csqlite_register_whole_reads(void) {
  static struct csqlite_vfs usual, none;
  int code = csqlite_register_reading_whole(&usual, "whole", sqlite3_vfs_find(NULL));
  return code != SQLITE_OK
    ? code : csqlite_register_reading_whole(&none, "whole-none", sqlite3_vfs_find("unix-none"));
}
