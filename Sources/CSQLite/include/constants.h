/* SQLite's numbers, by its own names (https://sqlite.org/c3ref/constlist.html) with the prefix SQ_. */
#ifndef CSQLITE_CONSTANTS_H
#define CSQLITE_CONSTANTS_H

#define SQ_OK 0
#define SQ_ERROR 1
#define SQ_PERM 3
#define SQ_BUSY 5
#define SQ_LOCKED 6
#define SQ_NOMEM 7
#define SQ_READONLY 8
#define SQ_INTERRUPT 9
#define SQ_IOERR 10
#define SQ_CORRUPT 11
#define SQ_FULL 13
#define SQ_CANTOPEN 14
#define SQ_TOOBIG 18
#define SQ_CONSTRAINT 19
#define SQ_AUTH 23
#define SQ_NOTADB 26
#define SQ_READONLY_DBMOVED 1032
#define SQ_ROW 100
#define SQ_DONE 101

#define SQ_OPEN_READONLY 0x1
#define SQ_OPEN_READWRITE 0x2
#define SQ_OPEN_CREATE 0x4
#define SQ_OPEN_URI 0x40
#define SQ_OPEN_NOMUTEX 0x8000
#define SQ_OPEN_EXRESCODE 0x02000000

#define SQ_FCNTL_HAS_MOVED 20

#define SQ_PREPARE_PERSISTENT 0x1

#define SQ_INTEGER 1
#define SQ_FLOAT 2
#define SQ_TEXT 3
#define SQ_BLOB 4
#define SQ_NULL 5

#define SQ_DBCONFIG_NO_CKPT_ON_CLOSE 1006
#define SQ_DBCONFIG_DEFENSIVE 1010
#define SQ_DBCONFIG_TRUSTED_SCHEMA 1017

#define SQ_CHECKPOINT_PASSIVE 0
#define SQ_CHECKPOINT_FULL 1
#define SQ_CHECKPOINT_RESTART 2
#define SQ_CHECKPOINT_TRUNCATE 3

#define SQ_LIMIT_ATTACHED 7

#define SQ_STMTSTATUS_FULLSCAN_STEP 1
#define SQ_STMTSTATUS_SORT 2
#define SQ_STMTSTATUS_VM_STEP 4
#define SQ_STMTSTATUS_REPREPARE 5

#define SQ_DBSTATUS_CACHE_HIT 7
#define SQ_DBSTATUS_CACHE_MISS 8
#define SQ_DBSTATUS_CACHE_WRITE 9
#define SQ_DBSTATUS_CACHE_SPILL 12

#define SQ_TRACE_STMT 1

/* What an authorizer is asked (https://sqlite.org/c3ref/c_alter_table.html), and what it may answer. */
#define SQ_ACTION_READ 20
#define SQ_ACTION_SELECT 21
#define SQ_ACTION_FUNCTION 31
#define SQ_ACTION_RECURSIVE 33
#define SQ_AUTHORIZER_ALLOW 0
#define SQ_AUTHORIZER_DENY 1

#endif
