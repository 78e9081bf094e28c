#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Ends a child process of a test with an exit status.
public func leave(_ code: Int32) -> Never { exit(code) }
