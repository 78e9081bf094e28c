import Soups

/// Contiguous bytes that can be lent to work that throws faults: the standard library's `withUnsafeBytes` loses the
/// type of the error.
protocol Lendable {
    func lend<R>(_ body: (UnsafeRawBufferPointer) throws(Fault) -> R) throws(Fault) -> R
}

extension [UInt8]: Lendable {
    func lend<R>(_ body: (UnsafeRawBufferPointer) throws(Fault) -> R) throws(Fault) -> R {
        try withUnsafeBytes { bytes in Result { () throws(Fault) in try body(bytes) } }.get()
    }
}

extension ArraySlice<UInt8>: Lendable {
    func lend<R>(_ body: (UnsafeRawBufferPointer) throws(Fault) -> R) throws(Fault) -> R {
        try withUnsafeBytes { bytes in Result { () throws(Fault) in try body(bytes) } }.get()
    }
}
