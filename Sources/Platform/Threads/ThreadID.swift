public import Libc

/// Tells the threads of this process apart, as long as they run.
///
/// The type must be usable from inlined code, as `Lock`.
@usableFromInline package struct ThreadID: Hashable, Sendable {
    @usableFromInline let value: UInt

    @inlinable init(value: UInt) { self.value = value }

    @inlinable package static func == (a: ThreadID, b: ThreadID) -> Bool { a.value == b.value }

    /// The calling thread.
    @inlinable package static var current: ThreadID {
        #if canImport(Darwin) || canImport(Musl) || canImport(Android)
        ThreadID(value: UInt(bitPattern: pthread_self()))
        #else
        ThreadID(value: UInt(pthread_self()))
        #endif
    }
}
