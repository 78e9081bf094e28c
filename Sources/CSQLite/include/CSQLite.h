#ifndef CSQLITE_H
#define CSQLITE_H
#endif
