extension Fault {
    /// The kind of a fault. Later versions may add codes, but never rename them.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

// MARK: - Soups, entries, stores
extension Fault.Code {
    /// The soup does not exist. In Smart SQL the offset is that of the `{`.
    public static let soupNotFound = Self(rawValue: "soupNotFound")
    public static let invalidSoupName = Self(rawValue: "invalidSoupName")
    public static let invalidStoreName = Self(rawValue: "invalidStoreName")
    public static let invalidIndexSpec = Self(rawValue: "invalidIndexSpec")
    public static let noIndexSpecs = Self(rawValue: "noIndexSpecs")
    /// The entry is not an object, malformed or too deeply nested JSON, or has a duplicate member name or U+0000 in an
    /// indexed value.
    public static let invalidEntry = Self(rawValue: "invalidEntry")
    public static let unsupportedFeature = Self(rawValue: "unsupportedFeature")
    public static let json1WithExternalStorage = Self(rawValue: "json1WithExternalStorage")
    /// The path in a query spec, an external id or Smart SQL has no index.
    public static let pathNotIndexed = Self(rawValue: "pathNotIndexed")
    public static let externalIdMissing = Self(rawValue: "externalIdMissing")
    public static let externalIdNotUnique = Self(rawValue: "externalIdNotUnique")
    public static let storeNotFound = Self(rawValue: "storeNotFound")
    public static let invalidStoreConfig = Self(rawValue: "invalidStoreConfig")
    /// The call does not exist, or its arguments have the wrong form.
    public static let invalidArguments = Self(rawValue: "invalidArguments")
}

// MARK: - Opening
extension Fault.Code {
    /// No key was given, but the file is encrypted or not a database.
    public static let keyMissing = Self(rawValue: "keyMissing")
    /// A key was given, but the file has SQLite's plain header.
    public static let notEncrypted = Self(rawValue: "notEncrypted")
    /// The length of the file is not that of a database: less than 512 bytes, or not a multiple of 512.
    public static let notADatabase = Self(rawValue: "notADatabase")
    /// The first page cannot be decrypted with the key: the key is wrong or the page is damaged.
    public static let wrongKey = Self(rawValue: "wrongKey")
    /// A key was given, but the library does not support encryption.
    public static let encryptionUnavailable = Self(rawValue: "encryptionUnavailable")
    /// The key is invalid: empty, or a passphrase in the form of a raw key.
    public static let invalidKey = Self(rawValue: "invalidKey")
    /// The library cannot be loaded, or lacks features that the store needs.
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
    /// SQLite refused the statement. The offset is mapped back to the given text.
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
