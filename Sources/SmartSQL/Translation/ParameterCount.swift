import Soups

/// Numbers the parameters of a text like SQLite: `?` gets the next number, `?7` its own number, and a name the number
/// of its first occurrence.
///
/// Source: https://sqlite.org/c3ref/bind_blob.html.
struct ParameterCount: Sendable {
    /// The default limit of SQLite.
    static let limit = 32_766

    /// The highest number: the number of values that must be bound.
    private(set) var count = 0
    private var names: Set<[UInt8]> = []

    mutating func read(_ parameter: ArraySlice<UInt8>, at offset: Int) throws(Fault) {
        if parameter.first != UInt8(ascii: "?") {
            if names.insert(Array(parameter)).inserted {
                count += 1
            }
        } else if parameter.count == 1 {
            count += 1
        } else {
            let number = Int(String(decoding: parameter.dropFirst(), as: UTF8.self))
            guard let number, (1...Self.limit).contains(number) else {
                throw Fault(.sqlError, "the number of a parameter must be from 1 to \(Self.limit)", offset: offset)
            }
            count = max(count, number)
        }
        guard count <= Self.limit else {
            throw Fault(.sqlError, "more than \(Self.limit) parameters", offset: offset)
        }
    }
}
