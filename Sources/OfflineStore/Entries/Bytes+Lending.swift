import Soups

extension Array<UInt8> {
    /// Lends the bytes to work that throws faults: the standard library's own `withUnsafeBytes` forgets the type of the error.
    func lend<R>(_ body: (UnsafeRawBufferPointer) throws(Fault) -> R) throws(Fault) -> R {
        try withUnsafeBytes { bytes in Result { () throws(Fault) in try body(bytes) } }.get()
    }
}
