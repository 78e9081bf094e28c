/*
 The floor under the store: insert, update, lookup, page and scan as a C programmer would write them by hand, on the same function table and the
 same statements. A benchmark sets the store beside it; whatever the store costs beyond this is the store's own.
 */
#include "CSQLite.h"

static inline int bind(const sq_api *table, sqlite3_stmt *statement, int index, const sq_floor_value *value) {
  switch (value->type) {
    case SQ_INTEGER: return table->bind_int64(statement, index, value->integer);
    case SQ_FLOAT: return table->bind_double(statement, index, value->real);
    case SQ_TEXT: return sq_bind_text_static(table, statement, index, value->bytes, value->count);
    case SQ_BLOB: return table->bind_blob64(statement, index, value->bytes, value->count, (sq_destructor)0);
    default: return table->bind_null(statement, index);
  }
}

static inline void read_row(const sq_api *table, sqlite3_stmt *statement, int columns, sq_floor_total *total) {
  total->rows += 1;
  for (int column = 0; column < columns; column++) {
    const unsigned char *text = table->column_text(statement, column);
    int count = table->column_bytes(statement, column);
    total->bytes += count;
    if (text && count > 0) total->checksum += text[0] + text[count - 1];
  }
}

int sq_floor_run(const sq_api *table, sqlite3 *database, const char *sql, const sq_floor_value *values, int width, int64_t rows, int64_t batch,
                 sq_floor_total *total) {
  sqlite3_stmt *statement = NULL;
  int result = table->prepare_v3(database, sql, -1, SQ_PREPARE_PERSISTENT, &statement, NULL);
  if (result != SQ_OK) return result;
  int columns = table->column_count(statement);
  for (int64_t row = 0; row < rows && result == SQ_OK; row++) {
    if (batch > 0 && row % batch == 0) result = table->exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    for (int index = 0; index < width && result == SQ_OK; index++) result = bind(table, statement, index + 1, &values[row * width + index]);
    if (result != SQ_OK) break;
    while ((result = table->step(statement)) == SQ_ROW) read_row(table, statement, columns, total);
    if (result == SQ_DONE) result = table->reset(statement);
    if (result == SQ_OK && batch > 0 && (row % batch == batch - 1 || row == rows - 1)) result = table->exec(database, "COMMIT", NULL, NULL, NULL);
  }
  table->finalize(statement);
  if (result != SQ_OK && !table->get_autocommit(database)) table->exec(database, "ROLLBACK", NULL, NULL, NULL);
  return result;
}
