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
    /// The soup name is empty or contains `{`, `}`, `:` or NUL.
    public static let invalidSoupName = Self(rawValue: "invalidSoupName")
    /// The store name is empty, too long, `.` or `..`, or contains `/` or NUL; or the user of a directory is empty.
    public static let invalidStoreName = Self(rawValue: "invalidStoreName")
    /// An index spec has no path or an unknown type, its path is given twice, or Smart SQL or json1 cannot name the
    /// path.
    public static let invalidIndexSpec = Self(rawValue: "invalidIndexSpec")
    /// A soup was registered or altered without any index spec.
    public static let noIndexSpecs = Self(rawValue: "noIndexSpecs")
    /// The entry is not an object, malformed or too deeply nested JSON, or has a duplicate member name or U+0000 in an
    /// indexed value.
    public static let invalidEntry = Self(rawValue: "invalidEntry")
    /// A feature of a soup spec is unknown.
    public static let unsupportedFeature = Self(rawValue: "unsupportedFeature")
    /// A soup with external storage has an index of type json1, which needs the entry in the table.
    public static let json1WithExternalStorage = Self(rawValue: "json1WithExternalStorage")
    /// A value is to be written over an entry that the soup does not have.
    public static let entryNotFound = Self(rawValue: "entryNotFound")
    /// The path in a query spec, an external id or Smart SQL has no index.
    public static let pathNotIndexed = Self(rawValue: "pathNotIndexed")
    /// The entry has no value, or null, at the path of the external id.
    public static let externalIdMissing = Self(rawValue: "externalIdMissing")
    /// More than one entry has the value at the path of the external id.
    public static let externalIdNotUnique = Self(rawValue: "externalIdNotUnique")
    /// The store does not exist and may not be created, or its file was removed or replaced while it was open.
    public static let storeNotFound = Self(rawValue: "storeNotFound")
    /// The store configuration is malformed. A soup in it that cannot be registered is named in the result instead.
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
    /// The length of the file is not that of a database: less than 512 bytes, or not a multiple of 512. Or it is a
    /// pipe or a device.
    public static let notADatabase = Self(rawValue: "notADatabase")
    /// The first page cannot be decrypted with the key: the key is wrong or the page is damaged.
    public static let wrongKey = Self(rawValue: "wrongKey")
    /// A key was given, but the library does not support encryption.
    public static let encryptionUnavailable = Self(rawValue: "encryptionUnavailable")
    /// The key is invalid: empty, or a passphrase in the form of a raw key.
    public static let invalidKey = Self(rawValue: "invalidKey")
    /// The library cannot be loaded, or lacks features that the store needs.
    public static let libraryUnavailable = Self(rawValue: "libraryUnavailable")
    /// The database, or the file of an external entry, is damaged.
    public static let corrupt = Self(rawValue: "corrupt")
    /// The store was opened for reading only, or the file or its folder is not writable.
    public static let readOnly = Self(rawValue: "readOnly")
    /// The disk is full, or the file has reached `ConnectionSettings.maximumPageCount`. Nothing of the call was
    /// written.
    public static let diskFull = Self(rawValue: "diskFull")
    /// Another connection, process or call is in the way, and did not finish within the busy timeout.
    public static let busy = Self(rawValue: "busy")
    /// The store, its connection or its transaction has been closed.
    public static let closed = Self(rawValue: "closed")
    /// The store is suspended, because the app is about to be.
    public static let suspended = Self(rawValue: "suspended")
    /// The system could not read or write a file.
    public static let inputOutput = Self(rawValue: "inputOutput")
}

// MARK: - Key-value stores and migrations
extension Fault.Code {
    /// The key of a value is empty, longer than 1,024 bytes, or contains NUL.
    public static let invalidKeyName = Self(rawValue: "invalidKeyName")
    /// The store has run a migration that the app does not know, or was written by a later version of this library.
    public static let storeNewerThanApp = Self(rawValue: "storeNewerThanApp")
    /// A migration failed. What it had committed stays, and the next run goes on after that.
    public static let migrationFailed = Self(rawValue: "migrationFailed")
}

// MARK: - Queries
extension Fault.Code {
    /// The query spec is malformed, lacks what its kind needs, or is of the wrong kind for the call.
    public static let invalidQuerySpec = Self(rawValue: "invalidQuerySpec")
    /// The page size is less than 1.
    public static let invalidPageSize = Self(rawValue: "invalidPageSize")
    /// The text is not a single SELECT, or contains more than one statement.
    public static let notASelect = Self(rawValue: "notASelect")
    /// A reference in braces is malformed: two colons, no closing brace, or an empty name.
    public static let invalidReference = Self(rawValue: "invalidReference")
    /// The Smart SQL text contains MATCH. Use a query of kind `match` instead.
    public static let matchInSmartSQL = Self(rawValue: "matchInSmartSQL")
    /// The number of arguments is not the number of parameters in the text.
    public static let argumentsMismatch = Self(rawValue: "argumentsMismatch")
    /// SQLite refused the statement. The offset is mapped back to the given text.
    public static let sqlError = Self(rawValue: "sqlError")
    /// The full-text expression is malformed.
    public static let invalidMatchExpression = Self(rawValue: "invalidMatchExpression")
    /// The cursor is closed or unknown.
    public static let invalidCursor = Self(rawValue: "invalidCursor")
    /// The cursor is on its first page and cannot move back.
    public static let firstPage = Self(rawValue: "firstPage")
    /// The cursor is on its last page and cannot move on.
    public static let lastPage = Self(rawValue: "lastPage")
}

// MARK: - OData texts and payloads
extension Fault.Code {
    /// The text does not match the grammar of its version, an option is given twice, or a function has the wrong number
    /// of arguments.
    public static let syntax = Self(rawValue: "syntax")
    /// The function, option or construct belongs to another version, or this library does not support it.
    public static let unsupported = Self(rawValue: "unsupported")
    /// The type has no property of this name, or the service has no entity set of this name.
    public static let unknownProperty = Self(rawValue: "unknownProperty")
    /// An operand or argument, or a value in a payload, has the wrong type.
    public static let typeMismatch = Self(rawValue: "typeMismatch")
    /// The literal has the form of its type but is not a value of it, such as the date 2012-02-30.
    public static let invalidLiteral = Self(rawValue: "invalidLiteral")
    /// A division by zero, or a result that does not fit into its type.
    public static let arithmetic = Self(rawValue: "arithmetic")
    /// The document is not well-formed XML, its bytes do not match the encoding, or a text cannot be written in XML.
    public static let invalidXML = Self(rawValue: "invalidXML")
    /// The XML document has a DOCTYPE, which is never read.
    public static let doctypeForbidden = Self(rawValue: "doctypeForbidden")
    /// The text is not JSON, or not of the form that the format requires.
    public static let invalidJSON = Self(rawValue: "invalidJSON")
    /// The payload ends early: what was read before is not complete.
    public static let truncated = Self(rawValue: "truncated")
    /// The text or payload exceeds a limit, or a query ran longer than `StoreOptions.smartQueryTime`.
    public static let limitExceeded = Self(rawValue: "limitExceeded")
    /// The metadata document is not valid CSDL, or contradicts itself.
    public static let invalidMetadata = Self(rawValue: "invalidMetadata")
    /// The body is not valid gzip data.
    public static let invalidCompression = Self(rawValue: "invalidCompression")
}

// MARK: - Queries of services
extension Fault.Code {
    /// The query is malformed: an open quote or parenthesis, no `select` or `from`, or a part that must not be empty.
    public static let invalidSOQL = Self(rawValue: "invalidSOQL")
    /// The definition of a sync is malformed, or a field, type or relationship in it is not a valid name.
    public static let invalidSync = Self(rawValue: "invalidSync")
}

// MARK: - Syncs
extension Fault.Code {
    /// The store has no sync with this id or name.
    public static let syncNotFound = Self(rawValue: "syncNotFound")
    /// A sync of the store has this name.
    public static let syncNameTaken = Self(rawValue: "syncNameTaken")
    /// The sync runs, or waits for its turn.
    public static let syncRunning = Self(rawValue: "syncRunning")
    /// The sync manager was stopped and takes no work.
    public static let syncManagerStopped = Self(rawValue: "syncManagerStopped")
    /// The sync manager was not stopped.
    public static let syncManagerRunning = Self(rawValue: "syncManagerRunning")
    /// The store has another sync manager in this process.
    public static let syncManagerExists = Self(rawValue: "syncManagerExists")
    /// The call is for syncs of the other direction.
    public static let wrongSyncType = Self(rawValue: "wrongSyncType")
    /// The configuration of syncs is not JSON of the form that it must have.
    public static let invalidSyncsConfig = Self(rawValue: "invalidSyncsConfig")
    /// The kind of a target is not known, or no custom target was added under its name.
    public static let unknownTarget = Self(rawValue: "unknownTarget")
    /// A custom target threw an error of its own. The text names the type of the error.
    public static let customTarget = Self(rawValue: "customTarget")
    /// No list says which fields are sent.
    public static let noFields = Self(rawValue: "noFields")
    /// The service no longer knows the link to a further page. Run the sync again.
    public static let cursorExpired = Self(rawValue: "cursorExpired")
}

// MARK: - Requests to services
extension Fault.Code {
    /// There is no connection: no byte of the request has reached the service.
    public static let offline = Self(rawValue: "offline")
    /// The connection broke before the answer was complete. The service may have done what was asked.
    public static let noAnswer = Self(rawValue: "noAnswer")
    /// The service refuses the session, also after a refresh.
    public static let unauthorized = Self(rawValue: "unauthorized")
    /// The service refuses the request: status 400 to 499, except 401 and 429.
    public static let refused = Self(rawValue: "refused")
    /// The service cannot answer now: status 429 or 500 to 599.
    public static let unavailable = Self(rawValue: "unavailable")
    /// The answer is not JSON, or not of the form that the request calls for.
    public static let malformedAnswer = Self(rawValue: "malformedAnswer")
    /// The record is being created on the service, or the answer to that was lost: it is not sent again until that is
    /// decided.
    public static let inDoubt = Self(rawValue: "inDoubt")
    /// The record was changed on the service too, and the mode does not allow to merge; or a soup was changed since it
    /// was read.
    public static let conflict = Self(rawValue: "conflict")
}

// MARK: - Entity sets
extension Fault.Code {
    /// The key of an entity set is another one in the metadata than in its rows. Reload the set.
    public static let metadataChanged = Self(rawValue: "metadataChanged")
    /// The service gave no link to the changes of an entity set. Load it in full.
    public static let noDeltaLink = Self(rawValue: "noDeltaLink")
    /// The service no longer knows the link to the changes of an entity set. Load it in full.
    public static let deltaExpired = Self(rawValue: "deltaExpired")
    /// A link of the service leads to another host. It is not followed.
    public static let foreignLink = Self(rawValue: "foreignLink")
    /// New entities need each other's keys, so that none of them can be sent first.
    public static let invalidPlan = Self(rawValue: "invalidPlan")
}
