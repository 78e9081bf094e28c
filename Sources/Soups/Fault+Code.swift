extension Fault {
    /// Names a kind of fault. An open set: later versions may add to it, none is ever renamed.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

// MARK: - Soups, entries, stores
extension Fault.Code {
    /// The soup does not exist (in Smart SQL with the offset of the `{`).
    public static let soupNotFound = Self(rawValue: "soupNotFound")
    public static let invalidSoupName = Self(rawValue: "invalidSoupName")
    public static let invalidStoreName = Self(rawValue: "invalidStoreName")
    public static let invalidIndexSpec = Self(rawValue: "invalidIndexSpec")
    public static let noIndexSpecs = Self(rawValue: "noIndexSpecs")
    /// No object, broken or too deep JSON, a member name twice, U+0000 in an indexed value.
    public static let invalidEntry = Self(rawValue: "invalidEntry")
    public static let unsupportedFeature = Self(rawValue: "unsupportedFeature")
    public static let json1WithExternalStorage = Self(rawValue: "json1WithExternalStorage")
    /// A path without an index, in a query spec, an external id or Smart SQL.
    public static let pathNotIndexed = Self(rawValue: "pathNotIndexed")
    public static let externalIdMissing = Self(rawValue: "externalIdMissing")
    public static let externalIdNotUnique = Self(rawValue: "externalIdNotUnique")
    public static let storeNotFound = Self(rawValue: "storeNotFound")
    public static let invalidStoreConfig = Self(rawValue: "invalidStoreConfig")
    /// A call that does not exist, or arguments of the wrong shape.
    public static let invalidArguments = Self(rawValue: "invalidArguments")
}

// MARK: - Opening
extension Fault.Code {
    /// No key, and the file is encrypted (or no database).
    public static let keyMissing = Self(rawValue: "keyMissing")
    /// A key, and the file has SQLite's plain header.
    public static let notEncrypted = Self(rawValue: "notEncrypted")
    /// The length is no database's: under 512 bytes or no multiple of 512.
    public static let notADatabase = Self(rawValue: "notADatabase")
    /// A key, and the first page does not decrypt: a wrong key, or damage there.
    public static let wrongKey = Self(rawValue: "wrongKey")
    /// A key, and the library cannot encrypt.
    public static let encryptionUnavailable = Self(rawValue: "encryptionUnavailable")
    /// A key that cannot be one: empty, or a passphrase of the shape of a raw key.
    public static let invalidKey = Self(rawValue: "invalidKey")
    /// The library itself cannot be loaded, or lacks what the store needs.
    public static let libraryUnavailable = Self(rawValue: "libraryUnavailable")
    public static let corrupt = Self(rawValue: "corrupt")
    public static let readOnly = Self(rawValue: "readOnly")
    public static let diskFull = Self(rawValue: "diskFull")
    public static let busy = Self(rawValue: "busy")
    public static let closed = Self(rawValue: "closed")
    /// The system could not read or write a file.
    public static let inputOutput = Self(rawValue: "inputOutput")
}

// MARK: - Queries
extension Fault.Code {
    public static let invalidQuerySpec = Self(rawValue: "invalidQuerySpec")
    public static let invalidPageSize = Self(rawValue: "invalidPageSize")
    public static let notASelect = Self(rawValue: "notASelect")
    public static let invalidReference = Self(rawValue: "invalidReference")
    public static let matchInSmartSQL = Self(rawValue: "matchInSmartSQL")
    public static let argumentsMismatch = Self(rawValue: "argumentsMismatch")
    /// What only SQLite refuses, with its offset mapped back to the text given.
    public static let sqlError = Self(rawValue: "sqlError")
    public static let invalidMatchExpression = Self(rawValue: "invalidMatchExpression")
    public static let invalidCursor = Self(rawValue: "invalidCursor")
    public static let firstPage = Self(rawValue: "firstPage")
    public static let lastPage = Self(rawValue: "lastPage")
}

// MARK: - OData texts and payloads
extension Fault.Code {
    public static let syntax = Self(rawValue: "syntax")
    public static let unsupported = Self(rawValue: "unsupported")
    public static let unknownProperty = Self(rawValue: "unknownProperty")
    public static let typeMismatch = Self(rawValue: "typeMismatch")
    public static let invalidLiteral = Self(rawValue: "invalidLiteral")
    public static let arithmetic = Self(rawValue: "arithmetic")
    public static let invalidXML = Self(rawValue: "invalidXML")
    public static let doctypeForbidden = Self(rawValue: "doctypeForbidden")
    public static let invalidJSON = Self(rawValue: "invalidJSON")
    public static let truncated = Self(rawValue: "truncated")
    public static let limitExceeded = Self(rawValue: "limitExceeded")
    public static let invalidMetadata = Self(rawValue: "invalidMetadata")
}
