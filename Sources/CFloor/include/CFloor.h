/* The store's own work in bare calls: what no wrapper can beat. See floor.c. */
#ifndef CFLOOR_H
#define CFLOOR_H

#include "CSQLite.h"

/* A value to bind: SQLite's type number and what belongs to it. The bytes stay where they are until the run is over. */
typedef struct {
  int type;
  int64_t integer;
  double real;
  const void *bytes;
  uint64_t count;
} sq_floor_value;

/* What a run saw: rows returned, and the bytes of all their columns, each copied out of what SQLite lends, as every caller that keeps them must. */
typedef struct {
  int64_t rows;
  int64_t bytes;
} sq_floor_total;

/* One execution of a statement, by the statement's index in the list, with its values. */
typedef struct {
  int statement;
  int width;
  const sq_floor_value *values;
} sq_floor_step;

/*
 Prepares all statements once and runs `count` steps in their order: an insert or update for each entry, with its full-text row, a lookup for each id,
 one page, one scan. `batch` steps make a transaction; 0 leaves each to itself. Returns SQLite's result code.
 */
int sq_floor_run(const struct sq_api *table, sqlite3 *database, const char *const *sql, int statements, const sq_floor_step *steps, int64_t count,
                 int64_t batch, sq_floor_total *total);

#endif
