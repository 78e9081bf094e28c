import Libc

/// Threads that run work which may block, and end with it.
package enum DetachedThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Deep JSON and long SQL need more stack than some systems give a new thread.
    private static let stackSize = 8 << 20

    /// Starts a thread.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let work = Unmanaged.passRetained(Work(body))
        let result = create(work.toOpaque())
        guard result == 0 else {
            work.release()
            throw SystemError("start a thread", result)
        }
    }

    private static func create(_ work: UnsafeMutableRawPointer) -> Int32 {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, stackSize)
        #if canImport(Darwin) || canImport(Musl)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        return pthread_create(&thread, &attributes, { DetachedThread.enter($0) }, work)
    }

    private static func enter(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let argument {
            Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        }
        return nil
    }
}
