/* X(result, name, (parameters), (arguments)): every function of SQLite that is called, in one list. */
#define SQ_FUNCTIONS(X)                                                                                                                       \
  X(const char *, compileoption_get, (int n), (n))                                                                                            \
  X(int, open_v2, (const char *path, sqlite3 **database, int flags, const char *vfs), (path, database, flags, vfs))                           \
  X(int, close_v2, (sqlite3 * database), (database))                                                                                          \
  X(int, extended_result_codes, (sqlite3 * database, int on), (database, on))                                                                 \
  X(int, extended_errcode, (sqlite3 * database), (database))                                                                                  \
  X(int, system_errno, (sqlite3 * database), (database))                                                                                      \
  X(const char *, errmsg, (sqlite3 * database), (database))                                                                                   \
  X(const char *, errstr, (int code), (code))                                                                                                 \
  X(int, error_offset, (sqlite3 * database), (database))                                                                                      \
  X(int, busy_timeout, (sqlite3 * database, int milliseconds), (database, milliseconds))                                                      \
  X(void, interrupt, (sqlite3 * database), (database))                                                                                        \
  X(int, limit, (sqlite3 * database, int id, int value), (database, id, value))                                                               \
  X(int, get_autocommit, (sqlite3 * database), (database))                                                                                    \
  X(int, db_readonly, (sqlite3 * database, const char *schema), (database, schema))                                                           \
  X(int64_t, last_insert_rowid, (sqlite3 * database), (database))                                                                             \
  X(int64_t, changes64, (sqlite3 * database), (database))                                                                                     \
  X(int64_t, total_changes64, (sqlite3 * database), (database))                                                                               \
  X(int, exec, (sqlite3 * database, const char *sql, int (*row)(void *, int, char **, char **), void *context, char **message),               \
    (database, sql, row, context, message))                                                                                                   \
  X(int, prepare_v3, (sqlite3 * database, const char *sql, int bytes, unsigned flags, sqlite3_stmt **statement, const char **tail),           \
    (database, sql, bytes, flags, statement, tail))                                                                                           \
  X(int, step, (sqlite3_stmt * statement), (statement))                                                                                       \
  X(int, reset, (sqlite3_stmt * statement), (statement))                                                                                      \
  X(int, clear_bindings, (sqlite3_stmt * statement), (statement))                                                                             \
  X(int, finalize, (sqlite3_stmt * statement), (statement))                                                                                   \
  X(int, stmt_readonly, (sqlite3_stmt * statement), (statement))                                                                              \
  X(int, stmt_status, (sqlite3_stmt * statement, int counter, int reset), (statement, counter, reset))                                        \
  X(sqlite3_stmt *, next_stmt, (sqlite3 * database, sqlite3_stmt * statement), (database, statement))                                          \
  X(const char *, sql, (sqlite3_stmt * statement), (statement))                                                                               \
  X(char *, expanded_sql, (sqlite3_stmt * statement), (statement))                                                                            \
  X(void, free, (void *memory), (memory))                                                                                                     \
  X(int, bind_parameter_count, (sqlite3_stmt * statement), (statement))                                                                       \
  X(const char *, bind_parameter_name, (sqlite3_stmt * statement, int index), (statement, index))                                             \
  X(int, bind_parameter_index, (sqlite3_stmt * statement, const char *name), (statement, name))                                               \
  X(int, bind_null, (sqlite3_stmt * statement, int index), (statement, index))                                                                \
  X(int, bind_int64, (sqlite3_stmt * statement, int index, int64_t value), (statement, index, value))                                         \
  X(int, bind_double, (sqlite3_stmt * statement, int index, double value), (statement, index, value))                                         \
  X(int, bind_text64,                                                                                                                         \
    (sqlite3_stmt * statement, int index, const char *bytes, uint64_t count, sq_destructor destructor, unsigned char encoding),               \
    (statement, index, bytes, count, destructor, encoding))                                                                                   \
  X(int, bind_blob64, (sqlite3_stmt * statement, int index, const void *bytes, uint64_t count, sq_destructor destructor),                     \
    (statement, index, bytes, count, destructor))                                                                                             \
  X(int, column_count, (sqlite3_stmt * statement), (statement))                                                                               \
  X(const char *, column_name, (sqlite3_stmt * statement, int column), (statement, column))                                                   \
  X(int, column_type, (sqlite3_stmt * statement, int column), (statement, column))                                                            \
  X(int64_t, column_int64, (sqlite3_stmt * statement, int column), (statement, column))                                                       \
  X(double, column_double, (sqlite3_stmt * statement, int column), (statement, column))                                                       \
  X(const unsigned char *, column_text, (sqlite3_stmt * statement, int column), (statement, column))                                          \
  X(const void *, column_blob, (sqlite3_stmt * statement, int column), (statement, column))                                                   \
  X(int, column_bytes, (sqlite3_stmt * statement, int column), (statement, column))                                                           \
  X(int, set_authorizer, (sqlite3 * database, sq_authorizer authorizer, void *context), (database, authorizer, context))                      \
  X(int, trace_v2, (sqlite3 * database, unsigned mask, sq_trace callback, void *context), (database, mask, callback, context))                    \
  X(void, progress_handler, (sqlite3 * database, int steps, sq_progress handler, void *context), (database, steps, handler, context))         \
  X(int, wal_checkpoint_v2, (sqlite3 * database, const char *schema, int mode, int *frames, int *checkpointed),                               \
    (database, schema, mode, frames, checkpointed))                                                                                           \
  X(int, table_column_metadata, (sqlite3 * database, const char *schema, const char *name, const char *column, const char **type,                 \
    const char **collation, int *not_null, int *primary_key, int *autoincrement),                                                             \
    (database, schema, name, column, type, collation, not_null, primary_key, autoincrement))                                                  \
  X(int, db_status, (sqlite3 * database, int counter, int *current, int *highest, int reset), (database, counter, current, highest, reset))   \
  X(int, file_control, (sqlite3 * database, const char *schema, int operation, void *argument),                                                \
    (database, schema, operation, argument))                                                                                                  \
  X(sqlite3_backup *, backup_init, (sqlite3 * target, const char *target_schema, sqlite3 *source, const char *source_schema),                   \
    (target, target_schema, source, source_schema))                                                                                           \
  X(int, backup_step, (sqlite3_backup * backup, int pages), (backup, pages))                                                                   \
  X(int, backup_finish, (sqlite3_backup * backup), (backup))                                                                                   \
  X(int, backup_remaining, (sqlite3_backup * backup), (backup))                                                                                \
  X(int, backup_pagecount, (sqlite3_backup * backup), (backup))                                                                                \
  X(int64_t, memory_highwater, (int reset), (reset))                                                                                          \
  X(sqlite3_vfs *, vfs_find, (const char *name), (name))                                                                                      \
  X(int, vfs_register, (sqlite3_vfs * vfs, int make_default), (vfs, make_default))                                                            \
  X(int, vfs_unregister, (sqlite3_vfs * vfs), (vfs))

/* The same for functions without parameters. */
#define SQ_PLAIN_FUNCTIONS(X)                                                                                                                \
  X(const char *, libversion, (void), ())                                                                                                     \
  X(int, libversion_number, (void), ())                                                                                                       \
  X(const char *, sourceid, (void), ())                                                                                                       \
  X(int, threadsafe, (void), ())                                                                                                              \
  X(int64_t, memory_used, (void), ())

/* SQLCipher's own. Plain SQLite has none of them. */
#define SQ_CODEC_FUNCTIONS(X)                                                                                                                 \
  X(int, key_v2, (sqlite3 * database, const char *schema, const void *key, int count), (database, schema, key, count))                        \
  X(int, rekey_v2, (sqlite3 * database, const char *schema, const void *key, int count), (database, schema, key, count))
