#pragma once

#include <stddef.h>

/// One bundled file: its path below `migrations/`, and its bytes.
typedef struct {
  const char *path;
  const unsigned char *bytes;
  size_t count;
} CMigrationsFile;

/// The bundled schema and migration files, ordered by path.
extern const CMigrationsFile cmigrations_files[];
extern const size_t cmigrations_file_count;

/// The file at an index below `cmigrations_file_count`: Swift can't import an array without a size.
static inline const CMigrationsFile *cmigrations_file(size_t index) {
  return &cmigrations_files[index];
}
