/* Makes a loaded SQLite library fail, or its process die, at a chosen point. For tests: no product links it. */
#ifndef FAULT_VFS_H
#define FAULT_VFS_H

/* What happens at the chosen operation. Operations that change a file are counted: write, truncate, sync, delete;
 and, for a kill, the making of folders and the linking, renaming and removing of files that are not SQLite's. */
enum fault_kind {
  FAULT_NONE = 0,
  /* The process is killed (SIGKILL), a write having been done to its half. */
  FAULT_KILL = 1,
  /* The operation fails as on a full disk, or with an I/O error, once. */
  FAULT_FULL_ONCE = 2,
  FAULT_IO_ONCE = 3,
  /* The same, and so does every operation after it. */
  FAULT_FULL_FOR_GOOD = 4,
  FAULT_IO_FOR_GOOD = 5,
};

/* Puts a layer over the default file system of the library that is loaded from this path. 0 on success. */
int fault_vfs_install(const char *library_path);
/* Begins to count from 0; at the operation of that number (from 1) the fault happens. */
void fault_vfs_arm(int kind, long at);
/* Operations counted since. */
long fault_vfs_count(void);

#endif
