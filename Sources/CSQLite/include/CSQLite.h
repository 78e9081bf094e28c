/*
 The interface of SQLite as a table of function pointers.

 Two SQLite libraries (plain SQLite and SQLCipher) live in one process side by side. They export the same names, so neither is linked: each is
 opened with dlopen in a scope of its own, and everything is called through the table that was filled from it. A call through the table costs
 what a direct call costs. No header of SQLite is needed to build.
 */
#ifndef CSQLITE_H
#define CSQLITE_H

#include <stddef.h>
#include <stdint.h>

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef struct sqlite3_context sqlite3_context;
typedef struct sqlite3_value sqlite3_value;
typedef struct sqlite3_vfs sqlite3_vfs;
typedef struct sqlite3_backup sqlite3_backup;

typedef void (*sq_destructor)(void *);
typedef int (*sq_authorizer)(void *, int, const char *, const char *, const char *, const char *);
typedef int (*sq_progress)(void *);
typedef int (*sq_trace)(unsigned, void *, void *, void *);
typedef void (*sq_update)(void *, int, const char *, const char *, int64_t);

#include "functions.h"

/* The table. A name of the plain list is never null once a library is loaded; one of the codec list is null where it cannot encrypt. */
typedef struct sq_api {
#define X(result, name, parameters, arguments) result(*name) parameters;
  SQ_FUNCTIONS(X)
  SQ_PLAIN_FUNCTIONS(X)
  SQ_CODEC_FUNCTIONS(X)
#undef X
  /* Their last parameters vary in number and type, so they are called from C only. */
  int (*db_config)(sqlite3 *, int, ...);
  int (*config)(int, ...);
} sq_api;

/* What dlopen and dlsym answered. */
typedef enum {
  SQ_LOADED = 0,
  /* The file is none that can be loaded; `detail` says why. */
  SQ_NOT_LOADABLE,
  /* A function is missing; `detail` is its name. */
  SQ_FUNCTION_MISSING,
  /* The library that is linked into this process is another one. */
  SQ_NOT_SHARED,
  /* Another SQLite is linked into this process, and the system or a sanitizer does not let this one keep to itself. */
  SQ_NOT_ISOLATED
} sq_load_result;

/* What happens if another SQLite is in the process. */
typedef enum {
  /* The same library is used as it is; any other one is bound deeply. */
  SQ_ISOLATION_AUTOMATIC = 0,
  /* Only the same library will do. */
  SQ_ISOLATION_SHARED,
  /* A copy that keeps to itself. */
  SQ_ISOLATION_DEEP
} sq_isolation;

/* Fills a table from a library that stays loaded to the end of the process. `is_shared` says whether it is the one that is linked. */
sq_load_result sq_load(
    const char *path, sq_isolation isolation, sq_api *table, int *is_shared, char *detail, size_t detail_size);

/* --- One inline function each, so that callers write sq_step(table, statement) ------------------------------------------------------------------ */

#define SQ_UNPACK(...) __VA_ARGS__
#define X(result, name, parameters, arguments) \
  static inline result sq_##name(const sq_api *table, SQ_UNPACK parameters) { return table->name arguments; }
SQ_FUNCTIONS(X)
SQ_CODEC_FUNCTIONS(X)
#undef X
#define X(result, name, parameters, arguments) \
  static inline result sq_##name(const sq_api *table) { return table->name(); }
SQ_PLAIN_FUNCTIONS(X)
#undef X

static inline int sq_can_encrypt(const sq_api *table) { return table->key_v2 && table->rekey_v2; }

/* --- Wrappers where Swift cannot say it itself --------------------------------------------------------------------------------------------- */

#define SQ_TRANSIENT ((sq_destructor)-1)

/* Binds a copy of UTF-8 text; a null pointer with no bytes is the empty text. */
static inline int sq_bind_text_copy(const sq_api *table, sqlite3_stmt *statement, int index, const void *bytes, uint64_t count) {
  return table->bind_text64(statement, index, bytes ? (const char *)bytes : "", count, SQ_TRANSIENT, 1);
}

/* Binds UTF-8 text that outlives the next step and reset of the statement, without a copy. */
static inline int sq_bind_text_static(const sq_api *table, sqlite3_stmt *statement, int index, const void *bytes, uint64_t count) {
  return table->bind_text64(statement, index, bytes ? (const char *)bytes : "", count, (sq_destructor)0, 1);
}

static inline int sq_bind_blob_copy(const sq_api *table, sqlite3_stmt *statement, int index, const void *bytes, uint64_t count) {
  return table->bind_blob64(statement, index, bytes ? bytes : "", count, SQ_TRANSIENT);
}

/* Binds bytes that outlive the next step and reset of the statement, without a copy. */
static inline int sq_bind_blob_static(const sq_api *table, sqlite3_stmt *statement, int index, const void *bytes,
                                      uint64_t count) {
  return table->bind_blob64(statement, index, bytes ? bytes : "", count, (sq_destructor)0);
}

/* Switches one of SQLITE_DBCONFIG's booleans. */
static inline int sq_db_config_switch(const sq_api *table, sqlite3 *database, int option, int on) {
  return table->db_config(database, option, on, (int *)0);
}

#include "constants.h"

#endif
