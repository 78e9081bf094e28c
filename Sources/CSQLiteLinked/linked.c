/* Fills the table of function pointers from the functions that the program links. No header of SQLite is needed. */
#include "CSQLiteLinked.h"

#if defined(SOUP_LINKS_CIPHER) || defined(SOUP_LINKS_SQLITE)

/* Both traits may be on, because another package asks for the second one. Two libraries in one image would crash, so SQLCipher is the only one then. */
#if defined(__APPLE__) && !defined(SOUP_LINKS_CIPHER)
__asm__(".linker_option \"-lsqlite3\"");
#endif

#define X(result, name, parameters, arguments) extern result sqlite3_##name parameters;
SQ_FUNCTIONS(X)
SQ_PLAIN_FUNCTIONS(X)
#undef X
extern int sqlite3_db_config(sqlite3 *, int, ...);
extern int sqlite3_config(int, ...);

/* A library that cannot encrypt lacks these; their addresses are null then. */
#define X(result, name, parameters, arguments) extern result sqlite3_##name parameters __attribute__((weak));
SQ_CODEC_FUNCTIONS(X)
#undef X

sq_linked_kind sq_linked_table(sq_api *table) {
#define X(result, name, parameters, arguments) table->name = sqlite3_##name;
  SQ_FUNCTIONS(X)
  SQ_PLAIN_FUNCTIONS(X)
  SQ_CODEC_FUNCTIONS(X)
#undef X
  table->db_config = sqlite3_db_config;
  table->config = sqlite3_config;
#if defined(SOUP_LINKS_CIPHER)
  return SQ_LINKED_CIPHER;
#else
  return SQ_LINKED_PLAIN;
#endif
}

#else

sq_linked_kind sq_linked_table(sq_api *table) {
  (void)table;
  return SQ_LINKED_NOTHING;
}

#endif
