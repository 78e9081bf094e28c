import JSONText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A JSON value that is stored and read as a value of Swift: what apps do with types of their own.
///
/// Numbers are those that Swift has: 64-bit integers, else doubles.
enum CodableTree: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
    case array([CodableTree])
    /// Pairs, because a dictionary takes two spellings of one text for equal.
    case object([(name: String, value: CodableTree)])

    /// The name of a member, whatever it is.
    struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

// MARK: - As JSON
extension CodableTree {
    init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let number): self = number.int64.map(CodableTree.integer) ?? .real(number.double)
        case .string(let text): self = .text(text)
        case .array(let elements): self = .array(elements.map { CodableTree($0) })
        case .object(let object): self = .object(object.members.map { ($0.name, CodableTree($0.value)) })
        }
    }

    var json: JSONValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .number(JSONNumber(value))
        case .real(let value): JSONNumber(value).map(JSONValue.number) ?? .null
        case .text(let text): .string(text)
        case .array(let elements): .array(elements.map(\.json))
        case .object(let members): .object(JSONObject(members.map { ($0.name, $0.value.json) }))
        }
    }
}

// MARK: - Coding
extension CodableTree: Codable {
    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Name.self) {
            self = .object(
                try members.allKeys.map { ($0.stringValue, try members.decode(CodableTree.self, forKey: $0)) })
        } else if let elements = try? decoder.unkeyedContainer() {
            self = .array(try Self.elements(of: elements))
        } else {
            self = try Self.scalar(in: decoder.singleValueContainer())
        }
    }

    private static func elements(of container: any UnkeyedDecodingContainer) throws -> [CodableTree] {
        var container = container
        var elements: [CodableTree] = []
        while !container.isAtEnd {
            elements.append(try container.decodeNil() ? .null : container.decode(CodableTree.self))
        }
        return elements
    }

    /// An integer is asked for before a boolean: in a row of SQLite 1 is both.
    private static func scalar(in container: any SingleValueDecodingContainer) throws -> CodableTree {
        if container.decodeNil() {
            return .null
        }
        if let integer = try? container.decode(Int64.self) {
            return .integer(integer)
        }
        do {
            return .real(try container.decode(Double.self))
        } catch DecodingError.dataCorrupted {
            // A number that no double holds, such as 1e400. As JSON it is null, as `init(_:)` makes it.
            return .real(.infinity)
        } catch {
            // Not a number.
        }
        if let bool = try? container.decode(Bool.self) {
            return .bool(bool)
        }
        if let text = try? container.decode(String.self) {
            return .text(text)
        }
        return .text(Data(try container.decode([UInt8].self)).base64EncodedString())
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements {
                try container.encode(element)
            }
        case .object(let members):
            var container = encoder.container(keyedBy: Name.self)
            for (name, value) in members {
                try container.encode(value, forKey: Name(stringValue: name))
            }
        default:
            var container = encoder.singleValueContainer()
            try encodeScalar(in: &container)
        }
    }

    private func encodeScalar(in container: inout any SingleValueEncodingContainer) throws {
        switch self {
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .real(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        default: try container.encodeNil()
        }
    }
}
