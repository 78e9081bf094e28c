/*
 The table of functions of a SQLite that is linked with this package: for systems whose programs load no library, or whose apps bring their own.

 Off by default. A trait of the package defines SOUP_LINKS_CIPHER or SOUP_LINKS_SQLITE; `ci/linked` defines the first one and links a library by path.
 */
#ifndef CSQLITELINKED_H
#define CSQLITELINKED_H

#include "CSQLite.h"

/* The linked library, if there is one. */
typedef enum { SQ_LINKED_NOTHING = 0, SQ_LINKED_PLAIN, SQ_LINKED_CIPHER } sq_linked_kind;

/* Fills the table from the linked functions and says what was linked. The table stays as it is if nothing was. */
sq_linked_kind sq_linked_table(sq_api *table);

#endif
