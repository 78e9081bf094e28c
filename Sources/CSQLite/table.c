/* Fills the table of function pointers from a library. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CSQLite.h"

#include <dlfcn.h>
#include <stdio.h>

static int fetch(void *library, const char *name, void *slot, char *detail, size_t detail_size) {
  char symbol[64];
  snprintf(symbol, sizeof symbol, "sqlite3_%s", name);
  /* POSIX lets a function's address travel through void *. */
  *(void **)slot = dlsym(library, symbol);
  if (*(void **)slot) return 1;
  snprintf(detail, detail_size, "%s", symbol);
  return 0;
}

sq_load_result sq_load(const char *path, int deep_bind, sq_api *table, char *detail, size_t detail_size) {
  detail[0] = 0;
  int flags = RTLD_NOW | RTLD_LOCAL;
#ifdef RTLD_DEEPBIND
  if (deep_bind) flags |= RTLD_DEEPBIND;
#endif
  /* A library's calls of its own functions go to whoever has linked the same names first, and that ends in a crash. */
  if (!deep_bind && dlsym(RTLD_DEFAULT, "sqlite3_libversion")) return SQ_OTHER_SQLITE_LINKED;
  void *library = dlopen(path, flags);
  if (!library) {
    const char *reason = dlerror();
    snprintf(detail, detail_size, "%s", reason ? reason : "no reason given");
    return SQ_NOT_LOADABLE;
  }
#define X(result, name, parameters, arguments) \
  if (!fetch(library, #name, &table->name, detail, detail_size)) return SQ_FUNCTION_MISSING;
  SQ_FUNCTIONS(X)
  SQ_PLAIN_FUNCTIONS(X)
#undef X
  if (!fetch(library, "db_config", &table->db_config, detail, detail_size)) return SQ_FUNCTION_MISSING;
  if (!fetch(library, "config", &table->config, detail, detail_size)) return SQ_FUNCTION_MISSING;
  /* These may be missing: then the library cannot encrypt. */
  char ignored[64];
#define X(result, name, parameters, arguments) fetch(library, #name, &table->name, ignored, sizeof ignored);
  SQ_CODEC_FUNCTIONS(X)
#undef X
  return SQ_LOADED;
}
