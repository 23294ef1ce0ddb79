// Fills a Lume V6 store that 'outbox-migrate fixture create lume V6 STORE' created, for benchmarks.
//
//   fill STORE EVENTS [ENTRIES]    adds EVENTS events to the outbox and as many mood entries, or ENTRIES
//
// Payloads are JSON of 150 to 900 bytes: compact, indented, or with escapes; one in twenty isn't JSON,
// one in fifty is empty. The same number of rows always gives the same values.

#include <sqlite3.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void fail(sqlite3 *db, const char *what) {
  fprintf(stderr, "fill: %s: %s\n", what, sqlite3_errmsg(db));
  exit(1);
}

static void execute(sqlite3 *db, const char *sql) {
  if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) fail(db, sql);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) fail(db, sql);
  return statement;
}

static void run(sqlite3_stmt *statement) {
  if (sqlite3_step(statement) != SQLITE_DONE) fail(sqlite3_db_handle(statement), sqlite3_sql(statement));
  sqlite3_reset(statement);
}

// MARK: - Random numbers

static uint64_t state = 0x6F757462;

// SplitMix64: https://prng.di.unimi.it/splitmix64.c
static uint64_t number(void) {
  uint64_t z = state += 0x9E3779B97F4A7C15;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}

static int below(int limit) { return (int)(number() % (uint64_t)limit); }

static double moment(void) { return 730000000 + below(40000000) + below(1000000) / 1e6; }

// MARK: - Text

struct text {
  char bytes[8192];
  int count;
};

static void add(struct text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text->count += vsnprintf(
      text->bytes + text->count, sizeof text->bytes - (size_t)text->count, format, arguments);
  va_end(arguments);
}

static void add_prose(struct text *text, int length, bool escaped) {
  static const char *const words[] = {
      "today", "walked", "home", "late", "after", "the", "meeting", "felt", "lighter", "than", "yesterday",
      "slept", "badly", "coffee", "with", "an", "old", "friend", "and", "laughed", "a", "lot", "rain",
      "again", "but", "good", "music", "tired", "in", "nice", "way", "reading", "until", "midnight"};
  static const char *const foreign[] = {
      "manhã", "größer", "déjà", "散歩", "спокойно", "🌧️", "año", "żółty", "🙂", "μετά"};
  static const char *const spelt[] = {"manh\\u00e3", "gr\\u00f6\\u00dfer", "\\ud83d\\ude42", "d\\u00e9j\\u00e0"};
  static const char *const marks[] = {"\\\"so\\\"", "\\n", "and\\/or", "\\t", "C:\\\\"};
  int end = text->count + length;
  while (text->count < end) {
    int kind = below(100);
    if (kind < 7) add(text, "%s ", escaped ? spelt[below(4)] : foreign[below(10)]);
    else if (kind < 9) add(text, "%s ", marks[below(5)]);
    else add(text, "%s ", words[below(34)]);
  }
}

static void add_uuid(struct text *text) {
  uint64_t high = number(), low = number();
  add(text, "%08X-%04X-4%03X-A%03X-%012llX", (unsigned)(high >> 32), (unsigned)(high >> 16 & 0xFFFF),
      (unsigned)(high & 0xFFF), (unsigned)(low >> 52), (unsigned long long)(low & 0xFFFFFFFFFFFF));
}

// The white space between the tokens of an object.
struct style {
  const char *before, *between, *colon, *after;
  bool escaped;
};

static const struct style compact = {"", ",", ":", "", false};
static const struct style indented = {"\n  ", ",\n  ", " : ", "\n", false};
static const struct style spaced = {"", ", ", ": ", "", true};
static const struct style framed = {"\n\t", ",\n\t", ": ", "\r\n", false};

static void add_key(struct text *text, const struct style *style, const char *key) {
  add(text, "%s\"%s\"%s", style->between, key, style->colon);
}

static void add_member(struct text *text, const struct style *style, const char *key, int length) {
  add_key(text, style, key);
  add(text, "\"");
  add_prose(text, length, style->escaped);
  add(text, "\"");
}

static void add_date(struct text *text, const struct style *style, const char *key) {
  add_key(text, style, key);
  add(text, "%.6f", moment());
}

static void add_list(struct text *text, const struct style *style, const char *key) {
  static const char *const topics[] = {"work", "family", "health", "weather", "money", "calm", "proud"};
  add_key(text, style, key);
  add(text, "[");
  for (int i = 0, count = below(4); i < count; i++) add(text, "%s\"%s\"", i ? style->between : "", topics[below(7)]);
  add(text, "]");
}

static const char *const event_types[] = {"mood.created", "journal.created", "goal.created"};

static void set_object(struct text *text, int type, const char *user) {
  int chance = below(10);
  const struct style *style = chance < 2 ? &indented : chance < 3 ? &spaced : chance < 4 ? &framed : &compact;
  text->count = 0;
  if (style == &framed) add(text, " \n");
  add(text, "{%s\"id\"%s\"", style->before, style->colon);
  add_uuid(text);
  add(text, "\"");
  add_key(text, style, "user_id");
  add(text, "\"%s\"", user);
  add_date(text, style, "created_at");
  add_date(text, style, "updated_at");
  if (type == 0) {
    add_key(text, style, "valence");
    add(text, "%.2f", below(201) / 100.0 - 1);
    add_list(text, style, "labels");
    add_list(text, style, "associations");
    add_member(text, style, "notes", below(320));
    add_key(text, style, "source_id");
    add(text, "null");
  } else if (type == 1) {
    add_member(text, style, "title", 5 + below(40));
    add_member(text, style, "content", 60 + below(480));
    add_list(text, style, "tags");
    add_key(text, style, "is_favorite");
    add(text, below(5) ? "false" : "true");
  } else {
    add_member(text, style, "title", 5 + below(60));
    add_member(text, style, "description", 40 + below(260));
    add_key(text, style, "progress");
    add(text, "%.3f", below(1001) / 1000.0);
    add_list(text, style, "milestones");
    add_date(text, style, "target_date");
  }
  add(text, "%s}", style->after);
  if (style == &framed) add(text, "\r\n");
}

// Bytes that aren't a JSON object: random bytes, the beginning of a property list, prose, or one JSON string.
static void set_stranger(struct text *text) {
  int kind = below(10), length = 150 + below(750);
  text->count = 0;
  if (kind < 8) {
    if (kind > 5) add(text, "bplist00");
    for (int i = 0; i < length; i++) text->bytes[text->count++] = (char)(number() >> 56);
    text->bytes[0] = kind > 5 ? 'b' : '\xFE';
    return;
  }
  add(text, kind == 8 ? "\"" : "note: ");
  add_prose(text, length, false);
  if (kind == 8) add(text, "\"");
}

// MARK: - Rows

static void bind_text(sqlite3_stmt *row, int place, const char *text) {
  sqlite3_bind_text(row, place, text, -1, SQLITE_STATIC);
}

static void bind_id(sqlite3_stmt *row, int place) {
  uint64_t id[2] = {number(), number()};
  sqlite3_bind_blob(row, place, id, sizeof id, SQLITE_TRANSIENT);
}

static void add_event(sqlite3_stmt *row, const char *user) {
  static struct text text;
  int type = below(3), chance = below(100);
  text.count = 0;
  if (chance >= 7) set_object(&text, type, user);
  else if (chance >= 2) set_stranger(&text);
  sqlite3_clear_bindings(row);
  int progress = below(20);
  bool isDone = progress < 16, isFailed = progress == 16;
  double created = moment();
  sqlite3_bind_int(row, 1, 1 + below(3));
  sqlite3_bind_int(row, 2, isDone ? 0 : below(5));
  if (isDone) sqlite3_bind_double(row, 3, created + 2.5);
  sqlite3_bind_double(row, 4, created);
  if (isDone || isFailed) sqlite3_bind_double(row, 5, created + 1.25);
  if (isFailed) bind_text(row, 6, "the server answered 503");
  bind_text(row, 7, event_types[type]);
  bind_text(row, 8, isDone ? "completed" : isFailed ? "failed" : "pending");
  bind_id(row, 9);
  if (chance) sqlite3_bind_blob(row, 10, text.bytes, text.count, SQLITE_STATIC);
  run(row);
}

static void add_mood(sqlite3_stmt *row) {
  static struct text notes, id, labels, topics;
  sqlite3_clear_bindings(row);
  double created = moment();
  notes.count = id.count = labels.count = topics.count = 0;
  add_uuid(&id);
  if (below(5)) add_prose(&notes, below(300), false);
  add_list(&labels, &compact, "labels");
  add_list(&topics, &compact, "associations");
  sqlite3_bind_int(row, 1, 1 + below(3));
  sqlite3_bind_double(row, 2, created);
  sqlite3_bind_double(row, 3, created - below(7200));
  sqlite3_bind_double(row, 4, created + below(86400));
  sqlite3_bind_double(row, 5, below(201) / 100.0 - 1);
  if (below(10) < 7) bind_text(row, 6, id.bytes);
  if (notes.count) sqlite3_bind_text(row, 7, notes.bytes, notes.count, SQLITE_STATIC);
  bind_text(row, 8, "manual");
  bind_id(row, 9);
  bind_id(row, 10);
  sqlite3_bind_blob(row, 11, topics.bytes, topics.count, SQLITE_STATIC);
  sqlite3_bind_blob(row, 12, labels.bytes, labels.count, SQLITE_STATIC);
  run(row);
}

static void set_highest_key(sqlite3 *db, const char *entity, const char *table) {
  char *sql = sqlite3_mprintf(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT max(Z_PK) FROM %s) WHERE Z_NAME = '%s'", table, entity);
  execute(db, sql);
  sqlite3_free(sql);
}

int main(int count, char **arguments) {
  sqlite3 *db;
  long events = count >= 3 ? atol(arguments[2]) : 0, moods = count == 4 ? atol(arguments[3]) : events;
  long rows = events > moods ? events : moods;
  if (events < 1 || moods < 1 || sqlite3_open_v2(arguments[1], &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
    fprintf(stderr, "usage: fill STORE EVENTS [ENTRIES]\n");
    return 64;
  }
  execute(db, "PRAGMA synchronous = OFF; PRAGMA cache_size = -65536");
  sqlite3_stmt *event = prepare(
      db,
      "INSERT INTO ZSDOUTBOXEVENT (Z_ENT, Z_OPT, ZRETRYCOUNT, ZCOMPLETEDAT, ZCREATEDAT, ZLASTATTEMPTAT, "
      "ZERRORMESSAGE, ZEVENTTYPE, ZSTATUS, ZID, ZPAYLOAD) VALUES ((SELECT Z_ENT FROM Z_PRIMARYKEY WHERE "
      "Z_NAME = 'SDOutboxEvent'), ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
  sqlite3_stmt *mood = prepare(
      db,
      "INSERT INTO ZSDMOODENTRY (Z_ENT, Z_OPT, ZCREATEDAT, ZDATE, ZUPDATEDAT, ZVALENCE, ZBACKENDID, ZNOTES, "
      "ZSOURCE, ZID, ZUSERID, ZASSOCIATIONS, ZLABELS) VALUES ((SELECT Z_ENT FROM Z_PRIMARYKEY WHERE "
      "Z_NAME = 'SDMoodEntry'), ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)");
  static struct text user;
  add_uuid(&user);
  execute(db, "BEGIN");
  // An app writes both tables alternately, so that their pages are interleaved.
  for (long i = 1; i <= rows; i++) {
    if (i * events / rows > (i - 1) * events / rows) add_event(event, user.bytes);
    if (i * moods / rows > (i - 1) * moods / rows) add_mood(mood);
    if (i % 50000 == 0) execute(db, "COMMIT; PRAGMA wal_checkpoint(TRUNCATE); BEGIN");
  }
  set_highest_key(db, "SDOutboxEvent", "ZSDOUTBOXEVENT");
  set_highest_key(db, "SDMoodEntry", "ZSDMOODENTRY");
  execute(db, "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  sqlite3_finalize(event);
  sqlite3_finalize(mood);
  sqlite3_close(db);
  return 0;
}
