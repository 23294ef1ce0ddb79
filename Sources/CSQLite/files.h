#pragma once

#include <sqlite3.h>
#include <stddef.h>

// The files that SQLite opens for us, in file systems of our own names above SQLite's: reads are whole
// (`whole_reads.h`), and pages of a file that nobody else changes go to and from it in pieces (`pieces.h`).

// The methods of a kind of file, above those of SQLite's own.
struct csqlite_methods {
  sqlite3_io_methods own;
  const sqlite3_io_methods *base;

  // The bytes from a file's beginning to what we know of it, behind what SQLite's own file system knows.
  size_t offset;
};

// Bytes of a file that stand in memory: read ahead of being asked for, or not written yet.
struct csqlite_piece {
  unsigned char *bytes;
  sqlite3_int64 start;
  int count;
};

// What we know of an open file.
struct csqlite_file {
  // Whether nobody else changes the file while it is open.
  int is_alone;

  // Whether what is written may wait.
  int gathers;

  // The lock that is held, one of SQLITE_LOCK_….
  int lock;

  // The system's number of the last page that couldn't be read; SQLite's own forgets it with the next read
  // that is short.
  int failure;

  // Where the last read began.
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
