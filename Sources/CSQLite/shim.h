#pragma once

#include <sqlite3.h>

// Swift imports neither variadic functions nor the cast in SQLITE_TRANSIENT.

static inline int csqlite_config_flag(sqlite3 *db, int option, int value) {
  return sqlite3_db_config(db, option, value, (int *)0);
}

// SQLite binds NULL for a null pointer, and Swift's empty buffers have one. An empty text or blob
// therefore gets a non-null address.

static inline int csqlite_bind_text_copy(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(
      statement, index, count ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int csqlite_bind_blob_copy(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, count ? bytes : "", count, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_text_lent(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(
      statement, index, count ? (const char *)bytes : "", count, SQLITE_STATIC, SQLITE_UTF8);
}

static inline int csqlite_bind_blob_lent(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, count ? bytes : "", count, SQLITE_STATIC);
}

static inline sqlite3_int64 csqlite_load(const sqlite3_int64 *count) {
  return __atomic_load_n(count, __ATOMIC_RELAXED);
}

// Turns off SQLite's memory statistics, which cost a lock for each allocation. Does nothing if
// SQLite is already initialized.
static inline int csqlite_keep_no_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// A value of a row: the integer, the bits of the real, or the number of bytes and their address.
struct csqlite_cell {
  int type;
  sqlite3_uint64 word;
  const void *bytes;
};

// Reads a value with its type. Texts and blobs aren't copied.
static inline void csqlite_read_value(sqlite3_value *value, struct csqlite_cell *cell) {
  cell->type = sqlite3_value_type(value);
  switch (cell->type) {
    case SQLITE_INTEGER: cell->word = (sqlite3_uint64)sqlite3_value_int64(value); return;
    case SQLITE_FLOAT: {
      double real = sqlite3_value_double(value);
      __builtin_memcpy(&cell->word, &real, sizeof real);
      return;
    }
    // Reading a text as a blob, or a number as either, would convert the value in place.
    case SQLITE_TEXT: cell->bytes = sqlite3_value_text(value); break;
    case SQLITE_BLOB: cell->bytes = sqlite3_value_blob(value); break;
    default: return;
  }
  // SQLite returns NULL for an empty blob.
  cell->word = cell->bytes ? (sqlite3_uint64)sqlite3_value_bytes(value) : 0;
}

// Reads all values of the current row. Their bytes belong to the row.
static inline void csqlite_read_row(sqlite3_stmt *statement, struct csqlite_cell *cells, int count) {
  for (int column = 0; column < count; column++)
    csqlite_read_value(sqlite3_column_value(statement, column), &cells[column]);
}

static inline void csqlite_result_text_copy(
    sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
  sqlite3_result_text64(
      context, count ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline void csqlite_result_blob_copy(sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
  sqlite3_result_blob64(context, count ? bytes : "", count, SQLITE_TRANSIENT);
}
