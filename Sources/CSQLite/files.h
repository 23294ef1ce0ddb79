#pragma once

#include <sqlite3.h>
#include <stddef.h>

// Files are opened through a VFS on top of SQLite's. It detects short reads (`whole_reads.h`), and
// reads and writes pages of unshared files in groups (`pieces.h`).

// The methods of a kind of file, and the methods of SQLite's that they call.
struct csqlite_methods {
  sqlite3_io_methods own;
  const sqlite3_io_methods *base;

  // The offset of `struct csqlite_file` in the file structure, after the data of SQLite's own VFS.
  size_t offset;
};

// A range of a file in memory: read ahead, or not written yet.
struct csqlite_piece {
  unsigned char *bytes;
  sqlite3_int64 start;
  int count;
};

// The state of an open file.
struct csqlite_file {
  // Whether no other connection changes the file while it is open.
  int is_alone;

  // Whether writes may be delayed.
  int gathers;

  // The lock held, one of SQLITE_LOCK_….
  int lock;

  // The `errno` of the last page that couldn't be read. SQLite overwrites its own copy with the
  // next short read.
  int failure;

  // The offset of the last read.
  sqlite3_int64 last;
  struct csqlite_piece ahead;
  struct csqlite_piece behind;
};

static inline const struct csqlite_methods *csqlite_methods_of(sqlite3_file *file) {
  return (const struct csqlite_methods *)(const void *)file->pMethods;
}

static inline const sqlite3_io_methods *csqlite_base(sqlite3_file *file) {
  return csqlite_methods_of(file)->base;
}

static inline struct csqlite_file *csqlite_known(sqlite3_file *file) {
  return (struct csqlite_file *)(void *)((char *)file + csqlite_methods_of(file)->offset);
}
