// The limit of the machine: migrates Lume V6 to V7 in C, with a proof of every row.
//
//   limit STORE USER [copy]    the store becomes V7; the old one is kept as STORE.old
//   limit STORE USER compute   the store stays V6, and each mood entry gets three columns by SQL functions
//
// It works as outbox-migrate's apply does: it writes a new file beside the store, compares the two on two
// threads, syncs the new file and replaces the store. It supports no other version and has no counts, hashes,
// receipt, or metadata of the new model. It checks the indexes only as quick_check does.
//
// With 'copy' it copies the store, rewrites the outbox in the copy, and compares pages in place of other
// tables' rows. It counts the pages that differ, and doesn't find out whose they are.
//
// With 'compute' it compares each entry with what the expressions give over the old row, in another statement.

#define _GNU_SOURCE
#include <fcntl.h>
#include <libgen.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "metadata.h"

static const char *user;

static const char columns[] =
    "(Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZATTEMPTCOUNT INTEGER, "
    "ZISNEWRECORD INTEGER, ZMAXATTEMPTS INTEGER, ZPRIORITY INTEGER, ZCOMPLETEDAT TIMESTAMP, "
    "ZCREATEDAT TIMESTAMP, ZLASTATTEMPTAT TIMESTAMP, ZERRORMESSAGE VARCHAR, ZEVENTTYPE VARCHAR, "
    "ZMETADATA VARCHAR, ZSTATUS VARCHAR, ZUSERID VARCHAR, ZENTITYID BLOB, ZID BLOB)";

// The mood entries with the computed columns.
static const char entry_columns[] =
    "(Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSCORE INTEGER, ZCREATEDAT TIMESTAMP, "
    "ZDATE TIMESTAMP, ZUPDATEDAT TIMESTAMP, ZVALENCE FLOAT, ZBACKENDID VARCHAR, ZDAY VARCHAR, "
    "ZEXCERPT VARCHAR, ZNOTES VARCHAR, ZSOURCE VARCHAR, ZSOURCEID VARCHAR, ZID BLOB, ZUSERID BLOB, "
    "ZASSOCIATIONS BLOB, ZLABELS BLOB)";

#define ENTRY \
  "SELECT Z_PK, Z_ENT, Z_OPT, CAST(round((ZVALENCE + 1) * 4.5 + 1) AS INTEGER), ZCREATEDAT, ZDATE, " \
  "ZUPDATEDAT, ZVALENCE, ZBACKENDID, date(ZDATE + 978307200, 'unixepoch'), trim(substr(ZNOTES, 1, 40)), " \
  "ZNOTES, ZSOURCE, ZSOURCEID, ZID, ZUSERID, ZASSOCIATIONS, ZLABELS FROM "

static bool copies, computes;

// The name of the table that is rewritten.
static const char *changed(void) { return computes ? "ZSDMOODENTRY" : "ZSDOUTBOXEVENT"; }

static _Noreturn void fail(const char *what, sqlite3 *db) {
  fprintf(stderr, "limit: %s: %s\n", what, db ? sqlite3_errmsg(db) : "not as it should be");
  exit(1);
}

static void execute(sqlite3 *db, const char *sql) {
  if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) fail(sql, db);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK)
    fail(sql, db);
  return statement;
}

static sqlite3 *open_store(const char *path, const char *mode) {
  char *uri = sqlite3_mprintf("file:%s?%s", path, mode);
  sqlite3 *db;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(uri, &db, flags, NULL) != SQLITE_OK) fail(path, db);
  sqlite3_free(uri);
  return db;
}

static void synchronize(const char *path) {
  int file = open(path, O_RDONLY);
  if (file < 0 || fsync(file)) fail(path, NULL);
  close(file);
}

// A buffer that grows, and what was written to it last.
struct text {
  uint8_t *bytes;
  size_t room, count;
};

static void set_metadata(struct text *text, const void *payload, int count) {
  size_t room = metadata_room((size_t)count);
  if (room > text->room) text->bytes = realloc(text->bytes, text->room = room * 2);
  text->count = metadata(payload, (size_t)count, text->bytes);
}

// The SQL function that converts a payload.
static void metadata_function(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count;
  const void *payload = sqlite3_value_blob(values[0]);
  int length = sqlite3_value_bytes(values[0]);
  if (!payload || !length) return;
  struct text *text = sqlite3_user_data(context);
  set_metadata(text, payload, length);
  sqlite3_result_text(context, (char *)text->bytes, (int)text->count, SQLITE_TRANSIENT);
}

// MARK: - Writing

static void write_outbox(sqlite3 *db) {
  static struct text text;
  sqlite3_create_function(
      db, "metadata", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, &text, metadata_function, NULL, NULL);
  sqlite3_stmt *insert = prepare(
      db,
      "INSERT INTO main.ZSDOUTBOXEVENT SELECT Z_PK, Z_ENT, Z_OPT, ZRETRYCOUNT, 1, 5, 0, ZCOMPLETEDAT, "
      "ZCREATEDAT, ZLASTATTEMPTAT, ZERRORMESSAGE, ZEVENTTYPE, metadata(ZPAYLOAD), ZSTATUS, ?1, ZID, "
      "ZID FROM old.ZSDOUTBOXEVENT");
  sqlite3_bind_text(insert, 1, user, -1, SQLITE_STATIC);
  if (sqlite3_step(insert) != SQLITE_DONE) fail("INSERT", db);
  sqlite3_finalize(insert);
}

static void write_entries(sqlite3 *db) {
  execute(db, "INSERT INTO main.ZSDMOODENTRY " ENTRY "old.ZSDMOODENTRY");
}

static void attach_old(sqlite3 *db, const char *store) {
  char *attach = sqlite3_mprintf("ATTACH 'file:%q?immutable=1' AS old", store);
  execute(db, attach);
  sqlite3_free(attach);
}

// File format 2 is WAL mode, in which the app left the store; 1 is a rollback journal.
static void set_format(const char *path, const char *format) {
  int file = open(path, O_RDWR);
  if (file < 0 || pwrite(file, format, 2, 18) != 2 || fsync(file)) fail(path, NULL);
  close(file);
}

static void copy_file(const char *from, const char *to) {
  int source = open(from, O_RDONLY), copy = open(to, O_RDWR | O_CREAT | O_EXCL, 0600);
  if (source < 0 || copy < 0) fail(to, NULL);
  ssize_t count;
  while ((count = copy_file_range(source, NULL, copy, NULL, 1 << 30, 0)) > 0) {}
  if (count || pwrite(copy, "\1\1", 2, 18) != 2) fail(to, NULL);
  close(source);
  close(copy);
}

static void write_copy(const char *store, const char *path) {
  copy_file(store, path);
  sqlite3 *db = open_store(path, "mode=rw");
  execute(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON; "
              "PRAGMA locking_mode = EXCLUSIVE");
  attach_old(db, store);
  execute(db, "BEGIN; DROP TABLE main.ZSDOUTBOXEVENT");
  char *create = sqlite3_mprintf("CREATE TABLE main.ZSDOUTBOXEVENT %s", columns);
  execute(db, create);
  sqlite3_free(create);
  write_outbox(db);
  execute(db, "COMMIT");
  sqlite3_close(db);
  set_format(path, "\2\2");
}

static void write_new(const char *store, const char *path) {
  sqlite3 *db = open_store(path, "mode=rwc");
  execute(db, "PRAGMA page_size = 4096; PRAGMA auto_vacuum = 2; PRAGMA journal_mode = OFF; "
              "PRAGMA synchronous = OFF; PRAGMA secure_delete = OFF; PRAGMA locking_mode = EXCLUSIVE");
  attach_old(db, store);
  execute(db, "BEGIN");
  // Create tables before indexes.
  sqlite3_stmt *schema = prepare(
      db, "SELECT type, name, sql FROM old.sqlite_schema WHERE sql NOT NULL AND name NOT LIKE 'sqlite_%' "
          "ORDER BY type DESC, rowid");
  while (sqlite3_step(schema) == SQLITE_ROW) {
    const char *name = (const char *)sqlite3_column_text(schema, 1);
    const char *sql = (const char *)sqlite3_column_text(schema, 2);
    char *create = strcmp(name, changed())
        ? sqlite3_mprintf("%s", sql)
        : sqlite3_mprintf("CREATE TABLE %s %s", name, computes ? entry_columns : columns);
    execute(db, create);
    sqlite3_free(create);
  }
  sqlite3_reset(schema);
  while (sqlite3_step(schema) == SQLITE_ROW) {
    const char *name = (const char *)sqlite3_column_text(schema, 1);
    if (strcmp((const char *)sqlite3_column_text(schema, 0), "table")) continue;
    if (!strcmp(name, changed())) {
      if (computes) write_entries(db); else write_outbox(db);
      continue;
    }
    char *copy = sqlite3_mprintf("INSERT INTO main.\"%w\" SELECT * FROM old.\"%w\"", name, name);
    execute(db, copy);
    sqlite3_free(copy);
  }
  sqlite3_finalize(schema);
  execute(db, "COMMIT");
  sqlite3_close(db);
  set_format(path, "\2\2");
}

// MARK: - Proof

struct pair {
  const char *old_path, *new_path;
  sqlite3 *old_store, *new_store;
};

static struct pair opened(const char *old_path, const char *new_path) {
  return (struct pair){old_path, new_path, open_store(old_path, "immutable=1"),
                       open_store(new_path, "immutable=1")};
}

static bool same(sqlite3_stmt *left, int a, sqlite3_stmt *right, int b) {
  int type = sqlite3_column_type(left, a);
  if (type != sqlite3_column_type(right, b)) return false;
  if (type == SQLITE_NULL) return true;
  if (type == SQLITE_INTEGER) return sqlite3_column_int64(left, a) == sqlite3_column_int64(right, b);
  if (type == SQLITE_FLOAT) {
    double one = sqlite3_column_double(left, a), other = sqlite3_column_double(right, b);
    return !memcmp(&one, &other, sizeof one);
  }
  const void *one = sqlite3_column_blob(left, a), *other = sqlite3_column_blob(right, b);
  int count = sqlite3_column_bytes(left, a);
  return count == sqlite3_column_bytes(right, b) && (!count || !memcmp(one, other, (size_t)count));
}

static bool holds(sqlite3_stmt *row, int column, const void *bytes, size_t count) {
  return sqlite3_column_type(row, column) == SQLITE_TEXT
      && !memcmp(sqlite3_column_blob(row, column), bytes,
                 (size_t)sqlite3_column_bytes(row, column) == count ? count : 0)
      && (size_t)sqlite3_column_bytes(row, column) == count;
}

static void compare_outbox(struct pair stores) {
  sqlite3_stmt *left = prepare(
      stores.old_store,
      "SELECT Z_PK, Z_ENT, Z_OPT, ZRETRYCOUNT, ZCOMPLETEDAT, ZCREATEDAT, ZLASTATTEMPTAT, ZERRORMESSAGE, "
      "ZEVENTTYPE, ZSTATUS, ZID, ZPAYLOAD FROM ZSDOUTBOXEVENT ORDER BY Z_PK");
  sqlite3_stmt *right = prepare(
      stores.new_store,
      "SELECT Z_PK, Z_ENT, Z_OPT, ZATTEMPTCOUNT, ZCOMPLETEDAT, ZCREATEDAT, ZLASTATTEMPTAT, "
      "ZERRORMESSAGE, ZEVENTTYPE, ZSTATUS, ZID, ZMETADATA, ZENTITYID, ZUSERID, ZMAXATTEMPTS, ZPRIORITY, "
      "ZISNEWRECORD FROM ZSDOUTBOXEVENT ORDER BY Z_PK");
  struct text text = {0};
  size_t user_count = strlen(user);
  for (;;) {
    int code = sqlite3_step(left);
    if (code != sqlite3_step(right)) fail("the number of rows", NULL);
    if (code != SQLITE_ROW) break;
    for (int i = 0; i < 11; i++)
      if (!same(left, i, right, i)) fail("a value of the outbox", NULL);
    if (!same(left, 10, right, 12) || !holds(right, 13, user, user_count)
        || sqlite3_column_int64(right, 14) != 5 || sqlite3_column_int64(right, 15) != 0
        || sqlite3_column_int64(right, 16) != 1)
      fail("a new value of the outbox", NULL);
    const void *payload = sqlite3_column_blob(left, 11);
    int count = sqlite3_column_bytes(left, 11);
    if (!payload || !count) {
      if (sqlite3_column_type(right, 11) != SQLITE_NULL) fail("metadata of nothing", NULL);
      continue;
    }
    set_metadata(&text, payload, count);
    if (!holds(right, 11, text.bytes, text.count)) fail("metadata", NULL);
  }
  sqlite3_finalize(left);
  sqlite3_finalize(right);
}

static void compare_rows(struct pair stores, const char *name, const char *old_sql, const char *new_sql) {
  sqlite3_stmt *left = prepare(stores.old_store, old_sql), *right = prepare(stores.new_store, new_sql);
  int count = sqlite3_column_count(left);
  for (;;) {
    int code = sqlite3_step(left);
    if (code != sqlite3_step(right)) fail(name, NULL);
    if (code != SQLITE_ROW) break;
    for (int i = 0; i < count; i++)
      if (!same(left, i, right, i)) fail(name, NULL);
  }
  sqlite3_finalize(left);
  sqlite3_finalize(right);
}

static void compare_table(struct pair stores, const char *name) {
  char *sql = sqlite3_mprintf("SELECT rowid, * FROM \"%w\" ORDER BY rowid", name);
  compare_rows(stores, name, sql, sql);
  sqlite3_free(sql);
}

static void compare_changed(struct pair stores) {
  if (!computes) return compare_outbox(stores);
  compare_rows(stores, "ZSDMOODENTRY", ENTRY "ZSDMOODENTRY ORDER BY Z_PK",
               "SELECT * FROM ZSDMOODENTRY ORDER BY Z_PK");
}

// Counts the pages that aren't the old ones.
static void compare_pages(const char *old_path, const char *new_path) {
  enum { piece = 1 << 20, page = 4096 };
  static char left[piece], right[piece];
  int one = open(old_path, O_RDONLY), other = open(new_path, O_RDONLY);
  if (one < 0 || other < 0) fail(new_path, NULL);
  ssize_t count;
  long differing = 0;
  for (off_t place = 0; (count = pread(one, left, piece, place)) > 0; place += count) {
    if (pread(other, right, (size_t)count, place) != count) fail("the size", NULL);
    if (!memcmp(left, right, (size_t)count)) continue;
    for (ssize_t i = 0; i < count; i += page) differing += memcmp(left + i, right + i, page) != 0;
  }
  printf("%ld pages differ\n", differing);
  close(one);
  close(other);
}

static void check_pages(struct pair stores) {
  sqlite3_stmt *check = prepare(stores.new_store, "PRAGMA quick_check(1)");
  if (sqlite3_step(check) != SQLITE_ROW || strcmp((const char *)sqlite3_column_text(check, 0), "ok"))
    fail("quick_check", NULL);
  sqlite3_finalize(check);
}

static void *compare_others(void *argument) {
  const struct pair *paths = argument;
  struct pair stores = opened(paths->old_path, paths->new_path);
  sqlite3_stmt *names = prepare(
      stores.old_store, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
                        "AND name <> ?1");
  sqlite3_bind_text(names, 1, changed(), -1, SQLITE_STATIC);
  while (sqlite3_step(names) == SQLITE_ROW)
    compare_table(stores, (const char *)sqlite3_column_text(names, 0));
  sqlite3_finalize(names);
  check_pages(stores);
  sqlite3_close(stores.old_store);
  sqlite3_close(stores.new_store);
  return NULL;
}

static void prove(const char *old_path, const char *new_path) {
  struct pair stores = opened(old_path, new_path);
  if (copies) {
    compare_outbox(stores);
    compare_pages(old_path, new_path);
    check_pages(stores);
    sqlite3_close(stores.old_store);
    sqlite3_close(stores.new_store);
    return;
  }
  pthread_t thread;
  if (pthread_create(&thread, NULL, compare_others, &stores)) fail("pthread_create", NULL);
  compare_changed(stores);
  pthread_join(thread, NULL);
  sqlite3_close(stores.old_store);
  sqlite3_close(stores.new_store);
}

// MARK: - Exchange

int main(int count, char **arguments) {
  if (count < 3) fail("usage: limit STORE USER [copy | compute]", NULL);
  copies = count == 4 && !strcmp(arguments[3], "copy");
  computes = count == 4 && !strcmp(arguments[3], "compute");
  const char *store = arguments[1];
  user = arguments[2];
  // SQLite's statistics of memory cost a lock at each allocation.
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  char *work = sqlite3_mprintf("%s.work", store), *old = sqlite3_mprintf("%s.old", store);
  char *folder = strdup(store);
  folder = dirname(folder);
  sqlite3 *lock = open_store(store, "mode=rw");
  execute(lock, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  if (copies) write_copy(store, work); else write_new(store, work);
  prove(store, work);
  if (link(store, old)) fail(old, NULL);
  synchronize(folder);
  sqlite3_close(lock);
  if (rename(work, store)) fail(store, NULL);
  synchronize(folder);
  return 0;
}
