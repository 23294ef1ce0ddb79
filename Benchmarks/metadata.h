// Metadata text of a payload: the rule of Documentation/MigrationFiles.md, "Converters", json-text.
#pragma once

#include <emmintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { deepest_nesting = 512 };

struct reader {
  const uint8_t *at, *end;
  uint8_t *out;
};

static inline bool is_space(uint8_t c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

static inline bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }

// Copies bytes of a string up to a quote, a backslash, a control character or a byte beyond ASCII.
static inline void copy_plain(struct reader *r) {
  const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'), space = _mm_set1_epi8(' ');
  while (r->end - r->at >= 16) {
    __m128i chunk = _mm_loadu_si128((const __m128i *)r->at);
    // The comparison is signed, so bytes beyond ASCII are below a space, too.
    __m128i odd = _mm_or_si128(
        _mm_cmplt_epi8(chunk, space),
        _mm_or_si128(_mm_cmpeq_epi8(chunk, quote), _mm_cmpeq_epi8(chunk, slash)));
    // The buffer has room: the output is never longer than the input, and the buffer has 16 extra bytes.
    _mm_storeu_si128((__m128i *)r->out, chunk);
    int mask = _mm_movemask_epi8(odd), count = mask ? __builtin_ctz((unsigned)mask) : 16;
    r->at += count;
    r->out += count;
    if (mask) return;
  }
  while (r->at < r->end && *r->at >= ' ' && *r->at < 0x80 && *r->at != '"' && *r->at != '\\')
    *r->out++ = *r->at++;
}

static bool copy_count(struct reader *r, int count) {
  if (r->end - r->at < count) return false;
  memcpy(r->out, r->at, (size_t)count);
  r->at += count;
  r->out += count;
  return true;
}

// Table 3-7 of the Unicode Standard.
static bool copy_utf8(struct reader *r) {
  uint8_t first = *r->at, low = 0x80, high = 0xBF;
  int count = first >= 0xC2 && first <= 0xDF ? 2 : first >= 0xE0 && first <= 0xEF ? 3
            : first >= 0xF0 && first <= 0xF4 ? 4 : 0;
  if (!count || r->end - r->at < count) return false;
  if (first == 0xE0) low = 0xA0;
  if (first == 0xED) high = 0x9F;
  if (first == 0xF0) low = 0x90;
  if (first == 0xF4) high = 0x8F;
  if (r->at[1] < low || r->at[1] > high) return false;
  for (int i = 2; i < count; i++)
    if ((r->at[i] & 0xC0) != 0x80) return false;
  return copy_count(r, count);
}

static bool copy_escape(struct reader *r) {
  if (r->end - r->at < 2) return false;
  if (r->at[1] != 'u') return r->at[1] && strchr("\"\\/bfnrt", r->at[1]) && copy_count(r, 2);
  if (r->end - r->at < 6) return false;
  for (int i = 2; i < 6; i++) {
    uint8_t letter = r->at[i] | 0x20;
    if (!is_digit(r->at[i]) && !(letter >= 'a' && letter <= 'f')) return false;
  }
  return copy_count(r, 6);
}

static bool copy_string(struct reader *r) {
  *r->out++ = *r->at++;
  for (;;) {
    copy_plain(r);
    if (r->at == r->end) return false;
    if (*r->at == '"') return copy_count(r, 1);
    if (*r->at == '\\' ? !copy_escape(r) : !copy_utf8(r)) return false;
  }
}

static bool copy_digits(struct reader *r) {
  const uint8_t *start = r->at;
  while (r->at < r->end && is_digit(*r->at)) *r->out++ = *r->at++;
  return r->at > start;
}

static bool copy_number(struct reader *r) {
  if (*r->at == '-') copy_count(r, 1);
  if (r->at < r->end && *r->at == '0') copy_count(r, 1);
  else if (!copy_digits(r)) return false;
  if (r->at < r->end && *r->at == '.') {
    copy_count(r, 1);
    if (!copy_digits(r)) return false;
  }
  if (r->at < r->end && (*r->at | 0x20) == 'e') {
    copy_count(r, 1);
    if (r->at < r->end && (*r->at == '+' || *r->at == '-')) copy_count(r, 1);
    if (!copy_digits(r)) return false;
  }
  return true;
}

static bool copy_word(struct reader *r, const char *word) {
  int count = (int)strlen(word);
  return r->end - r->at >= count && !memcmp(r->at, word, (size_t)count) && copy_count(r, count);
}

static inline void skip_space(struct reader *r) {
  while (r->at < r->end && is_space(*r->at)) r->at++;
}

// Copies one JSON text without white space between its tokens; returns its length, or -1.
static ptrdiff_t compact_json(const uint8_t *bytes, size_t count, uint8_t *out) {
  struct reader r = {bytes, bytes + count, out};
  char closers[deepest_nesting];
  int depth = 0;
  bool value = true, first = false;
  for (;;) {
    skip_space(&r);
    if (r.at == r.end) return -1;
    if (!value || first) {
      // After a value, or at once after an opening bracket.
      if (depth && *r.at == (uint8_t)closers[depth - 1]) {
        copy_count(&r, 1);
        value = first = false;
        if (--depth) continue;
        skip_space(&r);
        return r.at == r.end ? r.out - out : -1;
      }
      if (!first) {
        if (*r.at != ',') return -1;
        copy_count(&r, 1);
        skip_space(&r);
        if (r.at == r.end) return -1;
        value = true;
      }
      first = false;
    }
    if (depth && closers[depth - 1] == '}') {
      if (*r.at != '"' || !copy_string(&r)) return -1;
      skip_space(&r);
      if (r.at == r.end || *r.at != ':') return -1;
      copy_count(&r, 1);
      skip_space(&r);
      if (r.at == r.end) return -1;
    }
    uint8_t c = *r.at;
    if (c == '{' || c == '[') {
      if (depth == deepest_nesting) return -1;
      closers[depth++] = c == '{' ? '}' : ']';
      copy_count(&r, 1);
      first = true;
      continue;
    }
    if (!depth) return -1;
    bool taken = c == '"' ? copy_string(&r) : c == 't' ? copy_word(&r, "true")
               : c == 'f' ? copy_word(&r, "false") : c == 'n' ? copy_word(&r, "null")
               : (c == '-' || is_digit(c)) && copy_number(&r);
    if (!taken) return -1;
    value = false;
  }
}

static size_t base64(const uint8_t *bytes, size_t count, uint8_t *out) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  uint8_t *start = out;
  for (size_t i = 0; i < count; i += 3) {
    size_t left = count - i;
    uint32_t bits = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0)
                  | (left > 2 ? bytes[i + 2] : 0);
    *out++ = (uint8_t)letters[bits >> 18];
    *out++ = (uint8_t)letters[bits >> 12 & 63];
    *out++ = left > 1 ? (uint8_t)letters[bits >> 6 & 63] : '=';
    *out++ = left > 2 ? (uint8_t)letters[bits & 63] : '=';
  }
  return (size_t)(out - start);
}

// The bytes that metadata of a payload may take.
static inline size_t metadata_room(size_t count) { return count / 3 * 4 + 32; }

static inline size_t metadata(const uint8_t *payload, size_t count, uint8_t *out) {
  ptrdiff_t length = compact_json(payload, count, out);
  return length >= 0 ? (size_t)length : base64(payload, count, out);
}
