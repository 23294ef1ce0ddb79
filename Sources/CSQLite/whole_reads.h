#pragma once

#include "files.h"

// SQLite takes a page as zeros that a read returns less of, as it may lie behind the file's end
// (`readDbPage` in pager.c). A read that ends before the file does is made again here and, if it ends there
// again, fails: else zeros would be data.
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
