// The C library of the system under one name: the only file that asks which one it is. `Platform` wraps what reads and
// writes files, starts processes and threads, and tells the time; a target that calls C functions itself names this one.
#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#elseif canImport(Android)
@_exported public import Android
#else
@_exported public import Darwin
#endif
