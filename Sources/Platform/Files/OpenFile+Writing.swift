import Libc

extension OpenFile {
    /// Writes all bytes, waiting for those who read them where that is needed.
    package func write(_ bytes: some Collection<UInt8>) throws(SystemError) {
        var failure: SystemError?
        let isContiguous: Void? = bytes.withContiguousStorageIfAvailable {
            failure = writeAll(UnsafeRawBufferPointer($0))
        }
        if isContiguous == nil {
            failure = Array(bytes).withUnsafeBytes { writeAll($0) }
        }
        if let failure {
            throw failure
        }
    }

    /// Writes as many bytes as fit now and returns how many those are.
    package func writeSome(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
        let count = bytes.withUnsafeBytes { put($0) }
        guard count >= 0 else {
            throw .last("write a file")
        }
        return count
    }

    private func writeAll(_ bytes: UnsafeRawBufferPointer) -> SystemError? {
        var rest = bytes
        while !rest.isEmpty {
            let count = put(rest)
            guard count > 0 else {
                return count < 0 ? .last("write a file") : SystemError("write a file", EIO)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
        return nil
    }

    private func put(_ bytes: UnsafeRawBufferPointer) -> Int {
        while true {
            let count = Libc.write(descriptor, bytes.baseAddress, bytes.count)
            if count >= 0 || errno != EINTR {
                return count
            }
        }
    }

    /// Appends the bytes in one call of the system, so that a reader sees all of them or nothing. What is written of
    /// them when the disk is full is cut off again.
    package func append(_ bytes: [UInt8]) throws(SystemError) {
        let end = lseek(descriptor, 0, SEEK_END)
        let count = bytes.withUnsafeBytes { put($0) }
        guard count == bytes.count else {
            let error = count < 0 ? SystemError.last("write a file") : SystemError("write a file", ENOSPC)
            _ = ftruncate(descriptor, end)
            throw error
        }
    }
}
