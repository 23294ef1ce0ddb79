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
  int code = SQLITE_IOERR_SHORT_READ;
  for (int attempt = 0; attempt < 2 && code == SQLITE_IOERR_SHORT_READ; attempt++) {
    code = methods->base->xRead(file, bytes, count, offset);
    sqlite3_int64 size = 0;
    if (code != SQLITE_IOERR_SHORT_READ || methods->base->xFileSize(file, &size) != SQLITE_OK ||
        size < offset + count)
      return code;
  }
  return code == SQLITE_IOERR_SHORT_READ ? SQLITE_IOERR_READ : code;
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

// Puts such file systems before those of the same names, once, before the first file is opened.
static inline void csqlite_always_read_whole(void) {
  static struct csqlite_vfs systems[2];
  static const char *const names[2] = {"unix", "unix-none"};
  for (int place = 0; place < 2; place++) {
    sqlite3_vfs *base = sqlite3_vfs_find(names[place]);
    if (!base || base->xOpen == csqlite_open_reading_whole) continue;
    systems[place].own = *base;
    systems[place].own.pNext = NULL;
    systems[place].own.xOpen = csqlite_open_reading_whole;
    systems[place].base = base;
    sqlite3_vfs_register(&systems[place].own, base == sqlite3_vfs_find(NULL));
  }
}
