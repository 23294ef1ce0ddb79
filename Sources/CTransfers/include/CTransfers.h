#pragma once

// Include no system header here: its types would belong to this module, not to the C library's.
#include <stddef.h>

/// What a set of transfers has in common.
struct ctransfers_settings {
  /// The maximum number of connections, which are kept for later requests.
  int connections;

  /// The maximum number of bytes of a response's body, and of its headers.
  size_t limit;

  /// Whether only HTTPS is allowed.
  int is_encrypted;

  /// Whether the environment's proxies are used: <https://curl.se/libcurl/c/libcurl-env.html>.
  int uses_proxies;
};

/// How a request ended.
struct ctransfers_outcome {
  /// The code of libcurl: <https://curl.se/libcurl/c/libcurl-errors.html>; 0 if there is a response.
  int code;

  /// Whether the response is larger than the limit.
  int is_too_large;

  /// The status of the response.
  int status;

  /// The number of bytes of the response's body, and of its `Retry-After` header.
  size_t body_count;
  size_t delay_count;
};

/// Creates a set of transfers; returns 0 if that fails. `authorities` is the path of a file of certificate
/// authorities in PEM form, or NULL for the system's.
size_t ctransfers_open(struct ctransfers_settings settings, const char *authorities);

/// Begins a request with a number of your choice; returns 0, or -1 if there isn't enough memory.
///
/// Each line of `headers` is a header, and none ends with a line feed. Without a `body` (NULL), nothing is sent
/// behind the headers. The request takes at most some milliseconds, to the last byte of its response.
///
/// Any thread may call this and the next two functions.
int ctransfers_begin(
  size_t transfers, long long number, const char *method, const char *url, const char *headers,
  const char *body, size_t body_count, long milliseconds);

/// Ends a request that isn't needed any more. `ctransfers_next` returns it all the same.
void ctransfers_cancel(size_t transfers, long long number);

/// Makes `ctransfers_next` end all requests, free the set, and return 0.
void ctransfers_close(size_t transfers);

/// Transfers until a request ends, and returns its number; 0 after `ctransfers_close`.
///
/// Only one thread may call this and the next two functions. The thread gets no SIGPIPE any more.
long long ctransfers_next(size_t transfers, struct ctransfers_outcome *outcome);

/// Copy the body of the response that `ctransfers_next` returned last, or its `Retry-After` header.
void ctransfers_copy_body(size_t transfers, unsigned char *bytes, size_t count);
void ctransfers_copy_delay(size_t transfers, unsigned char *bytes, size_t count);
