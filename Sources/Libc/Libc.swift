// The C library of the system under one name: the only file that asks which one it is. `Platform` wraps what reads and
// writes files, starts processes and threads, and tells the time; a target that calls C functions itself names this
// one.
#if canImport(Darwin)
@_exported public import Darwin
#elseif canImport(Musl)
@_exported public import Musl
#elseif canImport(Android)
@_exported public import Android
#elseif canImport(Glibc)
@_exported public import Glibc
#else
#error("the C library of this system is not known: add it here, and to ci/portability")
#endif
