import Soups

/// Contiguous bytes that can be lent to work that throws faults: the standard library's `withUnsafeBytes` loses the
/// type of the error.
protocol Lendable {
    func lend<R>(_ body: (UnsafeRawBufferPointer) throws(Fault) -> R) throws(Fault) -> R
}

extension [UInt8]: Lendable {
    func lend<R>(_ body: (UnsafeRawBufferPointer) throws(Fault) -> R) throws(Fault) -> R {
        try withUnsafeBufferPointer { (bytes) throws(Fault) in try body(UnsafeRawBufferPointer(bytes)) }
    }
}

extension ArraySlice<UInt8>: Lendable {
    func lend<R>(_ body: (UnsafeRawBufferPointer) throws(Fault) -> R) throws(Fault) -> R {
        try withUnsafeBufferPointer { (bytes) throws(Fault) in try body(UnsafeRawBufferPointer(bytes)) }
    }
}
