/* Loads a SQLite library and prints what it is: path, SQLite version, FTS5, JSON, cipher_version. Built and run by ci/setup. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;

int main(int count, char **arguments) {
  if (count != 2) return 2;
  void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  const char *(*version)(void) = (const char *(*)(void))dlsym(library, "sqlite3_libversion");
  int (*open)(const char *, sqlite3 **) = (int (*)(const char *, sqlite3 **))dlsym(library, "sqlite3_open");
  int (*exec)(sqlite3 *, const char *, void *, void *, char **) = (int (*)(sqlite3 *, const char *, void *, void *, char **))dlsym(library, "sqlite3_exec");
  int (*prepare)(sqlite3 *, const char *, int, sqlite3_stmt **, const char **) =
      (int (*)(sqlite3 *, const char *, int, sqlite3_stmt **, const char **))dlsym(library, "sqlite3_prepare_v2");
  int (*step)(sqlite3_stmt *) = (int (*)(sqlite3_stmt *))dlsym(library, "sqlite3_step");
  const unsigned char *(*text)(sqlite3_stmt *, int) = (const unsigned char *(*)(sqlite3_stmt *, int))dlsym(library, "sqlite3_column_text");
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  if (!version || !open || !exec || !prepare || !step || !text || open(":memory:", &database) != 0) return 1;
  const char *cipher = "-";
  if (prepare(database, "PRAGMA cipher_version", -1, &statement, NULL) == 0 && statement && step(statement) == 100)
    cipher = (const char *)text(statement, 0);
  printf("%s\t%s\t%s\t%s\t%s\n", arguments[1], version(),
         exec(database, "CREATE VIRTUAL TABLE t USING fts5(a)", NULL, NULL, NULL) == 0 ? "yes" : "no",
         exec(database, "SELECT json_extract('{}', '$.a')", NULL, NULL, NULL) == 0 ? "yes" : "no", cipher);
  return 0;
}
