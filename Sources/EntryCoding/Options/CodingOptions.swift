public import FoundationTypes

/// Says how Swift values are written as JSON and read from it, where JSON alone does not say it.
///
/// ```swift
/// var coding = CodingOptions()
/// coding.dates = .iso8601
/// coding.keys = .snakeCase
/// let ids = try store.upsert(values: contacts, into: "contacts", coding: coding)
/// ```
///
/// The defaults are those of `JSONEncoder` and `JSONDecoder`.
public struct CodingOptions: Sendable {
    /// How dates are written.
    public enum DateCoding: Sendable {
        /// A number of seconds since 1 January 2001.
        case secondsSinceReferenceDate
        /// A number of seconds since 1970.
        case seconds
        /// A number of milliseconds since 1970.
        case milliseconds
        /// A text such as `2026-01-31T12:00:00Z`.
        case iso8601
        /// Two functions of your own.
        case custom(
            encode: @Sendable (Date, any Encoder) throws -> Void, decode: @Sendable (any Decoder) throws -> Date)
    }

    /// How bytes (`Data`) are written.
    public enum DataCoding: Sendable {
        /// A text in base64.
        case base64
        /// An array of numbers.
        case bytes
        /// Two functions of your own.
        case custom(
            encode: @Sendable (Data, any Encoder) throws -> Void, decode: @Sendable (any Decoder) throws -> Data)
    }

    /// How the names of properties become names of members. The keys of dictionaries with texts as keys stay as they
    /// are.
    public enum KeyCoding: Sendable {
        /// As they are.
        case asWritten
        /// `firstName` is written as `first_name`.
        case snakeCase
        /// Two functions of your own, from the name of a property to that of a member and back.
        case custom(encode: @Sendable (String) -> String, decode: @Sendable (String) -> String)
    }

    /// How dates are written: by default as seconds since the reference date.
    public var dates: DateCoding = .secondsSinceReferenceDate
    /// How bytes are written: by default in base64.
    public var data: DataCoding = .base64
    /// How the names of properties are written: by default as they are.
    public var keys: KeyCoding = .asWritten
    /// What the types can ask the coder for.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates options that agree with the defaults of `JSONEncoder` and `JSONDecoder`.
    public init() {}
}

extension CodingOptions.KeyCoding {
    var isAsWritten: Bool {
        if case .asWritten = self {
            true
        } else {
            false
        }
    }

    /// The name of the member for a property.
    package func written(_ name: String) -> String {
        switch self {
        case .asWritten: name
        case .snakeCase: SnakeCase.written(name)
        case .custom(let encode, _): encode(name)
        }
    }

    /// The name of the property for a member.
    package func read(_ name: String) -> String {
        switch self {
        case .asWritten: name
        case .snakeCase: SnakeCase.read(name)
        case .custom(_, let decode): decode(name)
        }
    }
}
