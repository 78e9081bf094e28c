import JSONText
import Soups

/// Reads a whole JSON document whose names are not repeated. A byte order mark may come first.
enum JSONRoot {
    /// Gives the root to `body`. Faults, also those of `body`, have offsets in `bytes`.
    static func read<Value>(
        _ bytes: [UInt8], _ body: (JSONNode) throws(Fault) -> Value
    ) throws(Fault) -> Value {
        let start = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
        let tape = JSONTape(options: JSONOptions(maximumDepth: 100, refusesDuplicateNames: true))
        do throws(Fault) {
            return try bytes.withUnsafeBufferPointer { (buffer) throws(Fault) in
                do throws(JSONError) {
                    try tape.read(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: buffer[start...])))
                } catch {
                    throw Fault(error)
                }
                return try tape.withRoot(body)
            }
        } catch {
            throw error.shifted(by: start)
        }
    }

    /// The document without the mark before it.
    static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.starts(with: byteOrderMark) ? bytes.dropFirst(byteOrderMark.count) : bytes[...]
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
