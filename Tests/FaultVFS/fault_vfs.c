/*
 * A thin layer over SQLite's own file system. The two structs below are part of SQLite's stable interface (https://sqlite.org/c3ref/vfs.html,
 * https://sqlite.org/c3ref/io_methods.html); they are written out here because no header of SQLite is needed to build the package.
 * Every call goes through to the real file system; those that change a file are counted, and one of them fails.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include "FaultVFS.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct file file;
typedef struct vfs vfs;

typedef struct {
  int version;
  int (*close)(file *);
  int (*read)(file *, void *, int, int64_t);
  int (*write)(file *, const void *, int, int64_t);
  int (*truncate)(file *, int64_t);
  int (*sync)(file *, int);
  int (*size)(file *, int64_t *);
  int (*lock)(file *, int);
  int (*unlock)(file *, int);
  int (*check_reserved)(file *, int *);
  int (*control)(file *, int, void *);
  int (*sector_size)(file *);
  int (*characteristics)(file *);
  int (*shm_map)(file *, int, int, int, void volatile **);
  int (*shm_lock)(file *, int, int, int);
  void (*shm_barrier)(file *);
  int (*shm_unmap)(file *, int);
} methods;

struct file {
  const methods *methods;
};

/* Our file: the real one follows it in memory. */
typedef struct {
  file base;
  file *real;
} wrapped;

struct vfs {
  int version, file_size, path_limit;
  vfs *next;
  const char *name;
  void *data;
  int (*open)(vfs *, const char *, file *, int, int *);
  int (*remove)(vfs *, const char *, int);
  int (*access)(vfs *, const char *, int, int *);
  int (*full_path)(vfs *, const char *, int, char *);
  void *(*dl_open)(vfs *, const char *);
  void (*dl_error)(vfs *, int, char *);
  void (*(*dl_symbol)(vfs *, void *, const char *))(void);
  void (*dl_close)(vfs *, void *);
  int (*randomness)(vfs *, int, char *);
  int (*sleep)(vfs *, int);
  int (*time)(vfs *, double *);
  int (*last_error)(vfs *, int, char *);
  int (*time_milliseconds)(vfs *, int64_t *);
};

enum { OK = 0, FULL = 13, IOERR_WRITE = 10 | 3 << 8, IOERR_FSYNC = 10 | 4 << 8, IOERR_TRUNCATE = 10 | 6 << 8, IOERR_DELETE = 10 | 10 << 8 };

static vfs *real;
static vfs layer;
static atomic_int kind;
static atomic_long counted, chosen;

static atomic_int armed;

void fault_vfs_arm(int new_kind, long at) {
  atomic_store(&armed, 1);
  atomic_store(&counted, 0);
  atomic_store(&chosen, at);
  atomic_store(&kind, new_kind);
}

long fault_vfs_count(void) { return atomic_load(&counted); }

/* Whether the operation that begins now is the one to fail. */
static int strikes(void) {
  long number = atomic_fetch_add(&counted, 1) + 1;
  switch (atomic_load(&kind)) {
    case FAULT_NONE: return 0;
    case FAULT_FULL_FOR_GOOD:
    case FAULT_IO_FOR_GOOD: return number >= atomic_load(&chosen);
    default: return number == atomic_load(&chosen);
  }
}

static int result(int io_error) {
  if (atomic_load(&kind) == FAULT_KILL) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
  }
  int now = atomic_load(&kind);
  return now == FAULT_FULL_ONCE || now == FAULT_FULL_FOR_GOOD ? FULL : io_error;
}

#define REAL(f) (((wrapped *)(f))->real)
#define PASS(f, call, ...) (REAL(f)->methods->call(REAL(f), ##__VA_ARGS__))

static int f_close(file *f) { return PASS(f, close); }
static int f_read(file *f, void *to, int count, int64_t at) { return PASS(f, read, to, count, at); }

static int f_write(file *f, const void *from, int count, int64_t at) {
  if (!strikes()) return PASS(f, write, from, count, at);
  if (atomic_load(&kind) == FAULT_KILL && count > 1) PASS(f, write, from, count / 2, at);
  return result(IOERR_WRITE);
}

static int f_truncate(file *f, int64_t size) { return strikes() ? result(IOERR_TRUNCATE) : PASS(f, truncate, size); }
static int f_sync(file *f, int flags) { return strikes() ? result(IOERR_FSYNC) : PASS(f, sync, flags); }
static int f_size(file *f, int64_t *size) { return PASS(f, size, size); }
static int f_lock(file *f, int level) { return PASS(f, lock, level); }
static int f_unlock(file *f, int level) { return PASS(f, unlock, level); }
static int f_check_reserved(file *f, int *held) { return PASS(f, check_reserved, held); }
static int f_control(file *f, int operation, void *argument) { return PASS(f, control, operation, argument); }
static int f_sector_size(file *f) { return PASS(f, sector_size); }
static int f_characteristics(file *f) { return PASS(f, characteristics); }
static int f_shm_map(file *f, int region, int size, int extend, void volatile **memory) { return PASS(f, shm_map, region, size, extend, memory); }
static int f_shm_lock(file *f, int offset, int count, int flags) { return PASS(f, shm_lock, offset, count, flags); }
static void f_shm_barrier(file *f) { PASS(f, shm_barrier); }
static int f_shm_unmap(file *f, int remove) { return PASS(f, shm_unmap, remove); }

/* Version 2: shared memory for the write-ahead log, no memory-mapped reading. */
static const methods layer_methods = {
    2, f_close, f_read, f_write, f_truncate, f_sync, f_size, f_lock, f_unlock, f_check_reserved,
    f_control, f_sector_size, f_characteristics, f_shm_map, f_shm_lock, f_shm_barrier, f_shm_unmap,
};

static int v_open(vfs *v, const char *path, file *f, int flags, int *out_flags) {
  (void)v;
  wrapped *w = (wrapped *)f;
  w->real = (file *)(w + 1);
  w->base.methods = NULL;
  int code = real->open(real, path, w->real, flags, out_flags);
  if (w->real->methods != NULL) w->base.methods = &layer_methods;
  return code;
}

static int v_remove(vfs *v, const char *path, int sync_folder) {
  (void)v;
  return strikes() ? result(IOERR_DELETE) : real->remove(real, path, sync_folder);
}

static int v_access(vfs *v, const char *path, int flags, int *answer) { (void)v; return real->access(real, path, flags, answer); }
static int v_full_path(vfs *v, const char *path, int size, char *out) { (void)v; return real->full_path(real, path, size, out); }
static int v_randomness(vfs *v, int count, char *out) { (void)v; return real->randomness(real, count, out); }
static int v_sleep(vfs *v, int microseconds) { (void)v; return real->sleep(real, microseconds); }
static int v_time(vfs *v, double *now) { (void)v; return real->time(real, now); }
static int v_last_error(vfs *v, int size, char *out) { (void)v; return real->last_error(real, size, out); }
static int v_time_milliseconds(vfs *v, int64_t *now) { (void)v; return real->time_milliseconds(real, now); }

/*
 The store writes and removes files beside the database too. The program's own definitions of these functions go before the system's.
 Only a kill happens here, and only once the faults are armed: a failing disk is SQLite's part.
 */
static void may_be_killed(void) {
  int now = atomic_load(&kind);
  if (!atomic_load(&armed) || (now != FAULT_NONE && now != FAULT_KILL)) return;
  if (strikes()) result(0);
}

#define SYSTEM(name, type) ((type)dlsym(RTLD_NEXT, name))

int rename(const char *from, const char *to) {
  may_be_killed();
  return SYSTEM("rename", int (*)(const char *, const char *))(from, to);
}

int link(const char *from, const char *to) {
  may_be_killed();
  return SYSTEM("link", int (*)(const char *, const char *))(from, to);
}

int unlink(const char *path) {
  may_be_killed();
  return SYSTEM("unlink", int (*)(const char *))(path);
}

int mkdir(const char *path, mode_t mode) {
  may_be_killed();
  return SYSTEM("mkdir", int (*)(const char *, mode_t))(path, mode);
}

int rmdir(const char *path) {
  may_be_killed();
  return SYSTEM("rmdir", int (*)(const char *))(path);
}

int fault_vfs_install(const char *library_path) {
  void *library = dlopen(library_path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return 1;
  vfs *(*find)(const char *) = (vfs *(*)(const char *))dlsym(library, "sqlite3_vfs_find");
  int (*add)(vfs *, int) = (int (*)(vfs *, int))dlsym(library, "sqlite3_vfs_register");
  if (find == NULL || add == NULL || (real = find(NULL)) == NULL) return 2;
  layer = (vfs){
      .version = 2, .file_size = (int)sizeof(wrapped) + real->file_size, .path_limit = real->path_limit, .name = "fault", .open = v_open,
      .remove = v_remove, .access = v_access, .full_path = v_full_path, .randomness = v_randomness, .sleep = v_sleep, .time = v_time,
      .last_error = v_last_error, .time_milliseconds = v_time_milliseconds,
  };
  return add(&layer, 1) == OK ? 0 : 3;
}
