#pragma once

#include <zlib.h>

// inflateInit2 and deflateInit2 are macros, which Swift doesn't import.

static inline int czlib_inflate_raw_init(z_stream *stream) {
  return inflateInit2(stream, -15);
}

static inline int czlib_deflate_raw_init(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}
