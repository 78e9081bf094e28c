/* The store's own work in bare calls: what no wrapper can beat. See floor.c. */
#ifndef CSQLITE_FLOOR_H
#define CSQLITE_FLOOR_H

struct sq_api;

#endif
