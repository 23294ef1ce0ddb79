#include "CMigrations.h"

// Every schema and migration file stands in FILES once. A test compares the list with the folder.
#define FILES(X)

#define NAME(line) NAME_(line)
#define NAME_(line) file_##line

const CMigrationsFile cmigrations_files[] = {{0, 0, 0}};
const size_t cmigrations_file_count = 0;
