import JSONText
import Soups

/// Makes the results of calls.
enum CallResults {
    /// Reads an entry that the store gave as bytes.
    static func entry(_ bytes: [UInt8]) throws(Fault) -> JSONValue {
        do {
            // An entry of depth 512 is stored; nothing in it can be deeper.
            return try JSONValue(parsing: bytes, options: JSONOptions(maximumDepth: 1024))
        } catch {
            throw Fault(.corrupt, "a stored entry is not valid JSON: \(error.message)", offset: error.offset)
        }
    }
}
