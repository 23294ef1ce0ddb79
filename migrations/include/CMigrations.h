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
