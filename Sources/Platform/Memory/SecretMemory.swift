import Libc

extension UnsafeMutableRawBufferPointer {
    /// Overwrites memory that held a secret, in a way that the optimiser may not leave out.
    package func overwrite() {
        guard let baseAddress else { return }
        #if canImport(Darwin)
        memset_s(baseAddress, count, 0, count)
        #else
        explicit_bzero(baseAddress, count)
        #endif
    }
}
