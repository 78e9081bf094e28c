import Libc
import Synchronization

extension UnsafeMutableRawBufferPointer {
    /// Overwrites memory that held a secret, in a way that the optimiser may not leave out.
    package func overwrite() {
        guard let baseAddress else { return }
        #if canImport(Darwin)
        memset_s(baseAddress, count, 0, count)
        #elseif canImport(Android)
        // Its C library has no such function until API 34. Atomic stores are not left out.
        let bytes = baseAddress.assumingMemoryBound(to: Atomic<UInt8>.self)
        for position in 0..<count {
            bytes[position].store(0, ordering: .relaxed)
        }
        #else
        explicit_bzero(baseAddress, count)
        #endif
    }
}
