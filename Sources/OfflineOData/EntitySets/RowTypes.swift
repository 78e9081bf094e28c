import JSONText
import OData
import Soups

/// Some of the types that derive from that of an entity set, of which a row states its own.
struct RowTypes: Sendable, Hashable {
    private let names: Set<ByteKey>

    /// Where a row has the name of its type.
    static let path = [RowMember.control, "type"]

    /// - Parameter names: The qualified names.
    init(_ names: [String]) { self.names = Set(names.map { ByteKey($0) }) }

    /// Whether a row is of one of the types.
    func contains(_ row: JSONObject) -> Bool {
        guard let name = row.control["type"]?.string else { return false }
        return names.contains(ByteKey(name))
    }

    /// Whether a row is of one of the types.
    func contains(_ row: RowResult) -> Bool {
        guard let key = RowKey(of: row, at: [Self.path]), case .text(let name)? = key.parts.first else { return false }
        return names.contains(ByteKey(name))
    }
}
