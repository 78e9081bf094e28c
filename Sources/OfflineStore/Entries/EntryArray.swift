import JSONText
import Soups

/// Splits the text of a JSON array of entries, without reading the entries themselves.
enum EntryArray {
    /// The range of each element.
    static func ranges(in text: [UInt8]) throws(Fault) -> [Range<Int>] {
        do {
            return try text.withUnsafeBufferPointer { (bytes) throws(JSONError) in
                var elements = try JSONArrayElements(UnsafeRawBufferPointer(bytes))
                var ranges: [Range<Int>] = []
                while let range = try elements.next() {
                    ranges.append(range)
                }
                return ranges
            }
        } catch {
            throw Fault(.invalidEntry, error.message, offset: error.offset)
        }
    }

    /// A stored entry as a value.
    static func value(of bytes: [UInt8]) throws(Fault) -> JSONValue {
        do throws(JSONError) {
            return try JSONValue(parsing: bytes)
        } catch {
            throw Fault(.corrupt, "a stored entry is not valid JSON: \(error.message)", offset: error.offset)
        }
    }
}
