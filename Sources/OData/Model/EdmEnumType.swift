import Soups

/// An enumeration: names for integers, or for bits if it is a set of flags.
public struct EdmEnumType: Sendable, Hashable {
    /// The name without its namespace.
    public var name: String
    /// The integer type of the values.
    public var underlyingType: EdmPrimitiveType
    /// Whether a value may combine several members.
    public var isFlags: Bool
    /// The members in the order of the document.
    public var members: [Member]

    /// A name for a value, or for a bit of a set of flags.
    public struct Member: Sendable, Hashable {
        /// The name of the member.
        public var name: String
        /// The number of the member.
        public var value: Int64

        /// Creates a member with its number.
        public init(_ name: String, _ value: Int64) {
            self.name = name
            self.value = value
        }
    }

    /// Creates an enumeration.
    public init(name: String, underlyingType: EdmPrimitiveType = .int32, isFlags: Bool = false, members: [Member] = [])
    {
        self.name = name
        self.underlyingType = underlyingType
        self.isFlags = isFlags
        self.members = members
    }

    /// Returns the value of member names or numbers, separated by commas for a set of flags; nil for unknown names.
    /// O(n) in the number of members and the length of the text.
    public func value(of text: String) -> Int64? {
        guard text.utf8.count > 64, members.count > 4 else {
            return Self.value(of: text, isFlags: isFlags) { name in
                members.first { $0.name.utf8.elementsEqual(name) }?.value
            }
        }
        let values = self.values
        return Self.value(of: text, isFlags: isFlags) { values[ByteKey(String(Substring($0)))] }
    }

    /// The values by name; of two members with one name the first.
    var values: [ByteKey: Int64] {
        Dictionary(members.map { (ByteKey($0.name), $0.value) }) { first, _ in first }
    }

    /// The value of a text, given the values of its names.
    static func value(
        of text: String, isFlags: Bool, _ member: (Substring.UTF8View) -> Int64?
    ) -> Int64? {
        var total: Int64 = 0
        let parts = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard !parts.isEmpty, isFlags || parts.count == 1 else { return nil }
        for part in parts {
            let name = part.drop { $0 == UInt8(ascii: " ") }
            if let value = member(Substring(name).utf8) {
                total |= value
            } else if let number = Int64(String(decoding: name, as: UTF8.self)) {
                total |= number
            } else {
                return nil
            }
        }
        return total
    }
}
