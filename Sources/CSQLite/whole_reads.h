#pragma once

#include "files.h"

// If a read returns less than a page, SQLite fills the rest with zeros, because the page may be
// past the end of the file (`readDbPage` in pager.c). So a read that ends before the end of the
// file is repeated here, and fails if it ends early again. Otherwise zeros would be taken for data.
static inline int csqlite_read_whole(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  const sqlite3_io_methods *base = csqlite_base(file);
  for (int attempt = 0; attempt < 2; attempt++) {
    int code = base->xRead(file, bytes, count, offset);
    if (code != SQLITE_IOERR_SHORT_READ) return code;
    sqlite3_int64 size = 0;
    int answer = base->xFileSize(file, &size);
    if (answer != SQLITE_OK) return answer;
    if (size < offset + count) return code;
  }
  return SQLITE_IOERR_READ;
}
