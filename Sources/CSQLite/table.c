/* Fills the table of function pointers from a library. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CSQLite.h"

#include <dlfcn.h>
#include <stdio.h>
#ifdef RTLD_DI_LINKMAP
#include <link.h>
#endif

static int fetch(void *library, const char *name, void *slot, char *detail, size_t detail_size) {
  char symbol[64];
  snprintf(symbol, sizeof symbol, "sqlite3_%s", name);
  /* POSIX lets a function's address travel through void *. */
  *(void **)slot = dlsym(library, symbol);
  if (*(void **)slot) return 1;
  snprintf(detail, detail_size, "%s", symbol);
  return 0;
}

#ifdef RTLD_DEEPBIND
/* Whether deep binding would take calls from a sanitizer that watches them. */
static int is_sanitized(void) {
  return dlsym(RTLD_DEFAULT, "__asan_init") != NULL || dlsym(RTLD_DEFAULT, "__tsan_init") != NULL;
}
#endif

/* Whether a library that is loaded was linked so that its calls of its own functions stay in it, whatever else is in the process. */
static int binds_to_itself(void *library) {
#ifdef RTLD_DI_LINKMAP
  struct link_map *map = NULL;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || !map || !map->l_ld) return 0;
  for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_SYMBOLIC || (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_SYMBOLIC))) return 1;
  }
#else
  (void)library;
#endif
  return 0;
}

/* Opens a library so that its calls of its own functions stay in it. Elsewhere they go to the library that was linked with the same names first, and that ends in
   a crash. On Darwin names are bound by library anyway. */
static sq_load_result open_apart(const char *path, sq_isolation isolation, void **library, int *is_shared) {
  int flags = RTLD_NOW | RTLD_LOCAL;
  *is_shared = 0;
#ifdef __APPLE__
  (void)isolation;
  *library = dlopen(path, flags | RTLD_FIRST);
#else
  void *linked = dlsym(RTLD_DEFAULT, "sqlite3_libversion");
  if (linked && isolation != SQ_ISOLATION_DEEP) {
    /* The very library that is linked: the same code, the same state, the same table of locks. */
    *library = dlopen(path, flags | RTLD_NOLOAD);
    if (*library && dlsym(*library, "sqlite3_libversion") == linked) {
      *is_shared = 1;
      return SQ_LOADED;
    }
    if (*library) dlclose(*library);
    if (isolation == SQ_ISOLATION_SHARED) return SQ_NOT_SHARED;
  }
  if (linked || isolation == SQ_ISOLATION_DEEP) {
    int deep = 0;
#ifdef RTLD_DEEPBIND
    deep = is_sanitized() ? 0 : RTLD_DEEPBIND;
#endif
    *library = dlopen(path, flags | deep);
    if (!*library || deep || binds_to_itself(*library)) return *library ? SQ_LOADED : SQ_NOT_LOADABLE;
    dlclose(*library);
    *library = NULL;
    return SQ_NOT_ISOLATED;
  }
  *library = dlopen(path, flags);
#endif
  return *library ? SQ_LOADED : SQ_NOT_LOADABLE;
}

sq_load_result sq_load(
    const char *path, sq_isolation isolation, sq_api *table, int *is_shared, char *detail, size_t detail_size) {
  detail[0] = 0;
  void *library = NULL;
  sq_load_result opened = open_apart(path, isolation, &library, is_shared);
  if (opened == SQ_NOT_SHARED || opened == SQ_NOT_ISOLATED) return opened;
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
