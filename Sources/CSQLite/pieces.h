#pragma once

#include "files.h"
#include "whole_reads.h"

// SQLite reads and writes page by page, and half of the cost is the system calls. If no other
// connection changes the file, pages near the last one are read in one call. That is so if the file
// is immutable, opened with `alone`, or locked exclusively (a reader without locks must make sure
// that nobody writes). Reading ahead works forwards or, as when an integrity check walks a table,
// backwards.
// Writes to a file opened with `alone` are collected while pages follow each other. They reach the
// file before anyone can rely on them: before a read, at the end of a transaction (SQLite sends
// SQLITE_FCNTL_SYNC even with `synchronous = OFF`), and when a lock is released.

// The maximum size of a piece in bytes. SQLite's unix VFS writes less than 128 KiB at once
// (`seekAndWriteFd` in os_unix.c), and reports what it couldn't write as a full disk.
enum { csqlite_piece_size = 1 << 16 };

// A file control that discards what was read ahead. Numbers above 100 are for applications:
// <https://www.sqlite.org/c3ref/file_control.html>.
#define CSQLITE_FCNTL_FORGET 7411

// Where the bytes that all files read are counted, for progress reports. Swift's importer emits the
// static variables of functions only.
static inline sqlite3_int64 **csqlite_bytes_read(void) {
  static sqlite3_int64 *count;
  return &count;
}

static inline int csqlite_piece_holds(const struct csqlite_piece *piece, sqlite3_int64 offset, int count) {
  return offset >= piece->start && offset + count <= piece->start + piece->count;
}

static inline int csqlite_have_piece(struct csqlite_piece *piece) {
  if (!piece->bytes) piece->bytes = sqlite3_malloc(csqlite_piece_size);
  return piece->bytes != NULL;
}

// Writes the collected bytes. If that fails, they stay, and the next call fails again.
static inline int csqlite_hand_on(sqlite3_file *file) {
  struct csqlite_piece *behind = &csqlite_known(file)->behind;
  if (!behind->count) return SQLITE_OK;
  int code = csqlite_base(file)->xWrite(file, behind->bytes, behind->count, behind->start);
  if (code == SQLITE_OK) behind->count = 0;
  return code;
}

// Returns the number of bytes to read if the pages read ahead don't contain a read. It grows while
// reads stay near each other, and is negative if they go backwards.
static inline int csqlite_reach(const struct csqlite_file *known, int count, sqlite3_int64 offset) {
  const struct csqlite_piece *ahead = &known->ahead;
  sqlite3_int64 before = offset + count - ahead->start, after = offset - ahead->start - ahead->count;
  sqlite3_int64 way = offset - known->last;
  int reach = 4 * count;
  int is_after = after >= 0 && after < csqlite_piece_size;
  int is_before = before <= 0 && before > -csqlite_piece_size;
  if (ahead->count && (is_after || is_before)) {
    reach = 4 * ahead->count;
    way = is_after ? 1 : -1;
  } else if (!way || way <= -csqlite_piece_size || way >= csqlite_piece_size) {
    return count;
  }
  if (reach > csqlite_piece_size) reach = csqlite_piece_size;
  return way > 0 ? reach : -reach;
}

// Reads ahead, starting or ending with the requested bytes, up to the end of the file. Ignores
// errors: the read itself then reports them.
static inline void csqlite_read_ahead(
    sqlite3_file *file, struct csqlite_file *known, int count, sqlite3_int64 offset) {
  struct csqlite_piece *ahead = &known->ahead;
  int reach = csqlite_reach(known, count, offset);
  sqlite3_int64 start = reach > 0 ? offset : offset + count + reach;
  sqlite3_int64 end = reach > 0 ? offset + reach : offset + count, size = 0;
  if (reach == count || csqlite_base(file)->xFileSize(file, &size) != SQLITE_OK) return;
  if (start < 0) start = 0;
  if (end > size) end = size;
  int length = (int)(end - start);
  if (length <= count || !csqlite_have_piece(ahead)) return;
  ahead->start = start;
  ahead->count = csqlite_base(file)->xRead(file, ahead->bytes, length, start) == SQLITE_OK ? length : 0;
}

static inline int csqlite_read_page(
    sqlite3_file *file, struct csqlite_file *known, void *bytes, int count, sqlite3_int64 offset) {
  int code = csqlite_read_whole(file, bytes, count, offset);
  if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ)
    csqlite_base(file)->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &known->failure);
  return code;
}

static inline int csqlite_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  struct csqlite_file *known = csqlite_known(file);
  int code = csqlite_hand_on(file);
  if (code != SQLITE_OK) return code;
  __atomic_fetch_add(*csqlite_bytes_read(), count, __ATOMIC_RELAXED);
  if (!known->is_alone && known->lock != SQLITE_LOCK_EXCLUSIVE)
    return csqlite_read_page(file, known, bytes, count, offset);
  if (!csqlite_piece_holds(&known->ahead, offset, count)) csqlite_read_ahead(file, known, count, offset);
  known->last = offset;
  if (!csqlite_piece_holds(&known->ahead, offset, count))
    return csqlite_read_page(file, known, bytes, count, offset);
  __builtin_memcpy(bytes, known->ahead.bytes + (offset - known->ahead.start), (size_t)count);
  return SQLITE_OK;
}

static inline int csqlite_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  struct csqlite_file *known = csqlite_known(file);
  struct csqlite_piece *behind = &known->behind;
  known->ahead.count = 0;
  int follows = behind->count && offset == behind->start + behind->count;
  if (!follows || behind->count + count > csqlite_piece_size) {
    int code = csqlite_hand_on(file);
    if (code != SQLITE_OK) return code;
  }
  if (!known->gathers || count > csqlite_piece_size || !csqlite_have_piece(behind))
    return csqlite_base(file)->xWrite(file, bytes, count, offset);
  if (!behind->count) behind->start = offset;
  __builtin_memcpy(behind->bytes + behind->count, bytes, (size_t)count);
  behind->count += count;
  return SQLITE_OK;
}

static inline int csqlite_truncate(sqlite3_file *file, sqlite3_int64 size) {
  csqlite_known(file)->ahead.count = 0;
  int code = csqlite_hand_on(file);
  return code != SQLITE_OK ? code : csqlite_base(file)->xTruncate(file, size);
}

static inline int csqlite_sync(sqlite3_file *file, int flags) {
  int code = csqlite_hand_on(file);
  return code != SQLITE_OK ? code : csqlite_base(file)->xSync(file, flags);
}

static inline int csqlite_size(sqlite3_file *file, sqlite3_int64 *size) {
  int code = csqlite_hand_on(file);
  return code != SQLITE_OK ? code : csqlite_base(file)->xFileSize(file, size);
}

static inline int csqlite_lock(sqlite3_file *file, int lock) {
  struct csqlite_file *known = csqlite_known(file);
  int code = csqlite_base(file)->xLock(file, lock);
  if (code == SQLITE_OK && lock > known->lock) {
    known->lock = lock;
    known->ahead.count = 0;
  }
  return code;
}

static inline int csqlite_unlock(sqlite3_file *file, int lock) {
  struct csqlite_file *known = csqlite_known(file);
  int failure = csqlite_hand_on(file);
  int code = csqlite_base(file)->xUnlock(file, lock);
  if (lock < known->lock) known->lock = lock;
  if (!known->is_alone) known->ahead.count = 0;
  return failure != SQLITE_OK ? failure : code;
}

static inline int csqlite_control(sqlite3_file *file, int operation, void *argument) {
  int code = csqlite_hand_on(file);
  if (code != SQLITE_OK) return code;
  struct csqlite_file *known = csqlite_known(file);
  switch (operation) {
    case CSQLITE_FCNTL_FORGET: known->ahead.count = 0; return SQLITE_OK;
    case SQLITE_FCNTL_LAST_ERRNO:
      if (!known->failure) break;
      *(int *)argument = known->failure;
      return SQLITE_OK;
    default: break;
  }
  return csqlite_base(file)->xFileControl(file, operation, argument);
}

// Memory-mapped reads would miss collected writes, and mapped pages count as memory of the process.
static inline int csqlite_fetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **page) {
  (void)file, (void)offset, (void)count;
  *page = NULL;
  return SQLITE_OK;
}

static inline int csqlite_close(sqlite3_file *file) {
  struct csqlite_file *known = csqlite_known(file);
  int failure = csqlite_hand_on(file);
  sqlite3_free(known->ahead.bytes);
  sqlite3_free(known->behind.bytes);
  int code = csqlite_base(file)->xClose(file);
  return failure != SQLITE_OK ? failure : code;
}
