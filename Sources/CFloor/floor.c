/*
 The floor under the store: insert, update, delete, lookup, page and match as a C programmer would write them by hand, on the same function table and
 the same statements. A benchmark compares the store with it; whatever the store costs beyond this is the store's own.
 */
#include "CFloor.h"

#include <stdlib.h>
#include <string.h>

static inline int bind(const sq_api *table, sqlite3_stmt *statement, int index, const sq_floor_value *value) {
  switch (value->type) {
    case SQ_INTEGER: return table->bind_int64(statement, index, value->integer);
    case SQ_FLOAT: return table->bind_double(statement, index, value->real);
    case SQ_TEXT: return sq_bind_text_static(table, statement, index, value->bytes, value->count);
    case SQ_BLOB: return table->bind_blob64(statement, index, value->bytes, value->count, (sq_destructor)0);
    default: return table->bind_null(statement, index);
  }
}

/* Where the rows of one execution go: SQLite lends a column's bytes only until the next step. One buffer serves the whole run. */
typedef struct {
  unsigned char *bytes;
  size_t used, size;
} row_buffer;

static inline int read_row(const sq_api *table, sqlite3_stmt *statement, int columns, row_buffer *buffer, sq_floor_total *total) {
  total->rows += 1;
  for (int column = 0; column < columns; column++) {
    const unsigned char *text = table->column_text(statement, column);
    size_t count = (size_t)table->column_bytes(statement, column);
    total->bytes += (int64_t)count;
    if (buffer->used + count > buffer->size) {
      size_t size = 2 * (buffer->used + count) + 4096;
      unsigned char *grown = realloc(buffer->bytes, size);
      if (!grown) return SQ_NOMEM;
      buffer->bytes = grown;
      buffer->size = size;
    }
    if (text && count > 0) memcpy(buffer->bytes + buffer->used, text, count);
    buffer->used += count;
  }
  return SQ_OK;
}

static int run_step(const sq_api *table, sqlite3_stmt *statement, int columns, const sq_floor_step *step, row_buffer *buffer, sq_floor_total *total) {
  int result = SQ_OK;
  for (int index = 0; index < step->width && result == SQ_OK; index++) result = bind(table, statement, index + 1, &step->values[index]);
  if (result != SQ_OK) return result;
  buffer->used = 0;
  while ((result = table->step(statement)) == SQ_ROW)
    if (read_row(table, statement, columns, buffer, total) != SQ_OK) return SQ_NOMEM;
  return result == SQ_DONE ? table->reset(statement) : result;
}

int sq_floor_run(const sq_api *table, sqlite3 *database, const char *const *sql, int statements, const sq_floor_step *steps, int64_t count,
                 int64_t batch, sq_floor_total *total) {
  sqlite3_stmt **prepared = calloc((size_t)statements + 1, sizeof *prepared);
  int *columns = calloc((size_t)statements + 1, sizeof *columns);
  row_buffer buffer = {NULL, 0, 0};
  int result = prepared && columns ? SQ_OK : SQ_NOMEM;
  for (int index = 0; index < statements && result == SQ_OK; index++) {
    result = table->prepare_v3(database, sql[index], -1, SQ_PREPARE_PERSISTENT, &prepared[index], NULL);
    if (result == SQ_OK) columns[index] = table->column_count(prepared[index]);
  }
  for (int64_t number = 0; number < count && result == SQ_OK; number++) {
    const sq_floor_step *step = &steps[number];
    if (batch > 0 && number % batch == 0) result = table->exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (result == SQ_OK) result = run_step(table, prepared[step->statement], columns[step->statement], step, &buffer, total);
    if (result == SQ_OK && batch > 0 && (number % batch == batch - 1 || number == count - 1)) result = table->exec(database, "COMMIT", NULL, NULL, NULL);
  }
  for (int index = 0; prepared && index < statements; index++) table->finalize(prepared[index]);
  free(prepared);
  free(columns);
  free(buffer.bytes);
  if (result != SQ_OK && !table->get_autocommit(database)) table->exec(database, "ROLLBACK", NULL, NULL, NULL);
  return result;
}
