package import Soups

extension Fault.Code {
    /// The number of the code, which Cocoa asks for; nil for a code that this version does not know. A number is never
    /// given to another code: new codes go to the end.
    package var number: Int? { Self.numbers[self] }

    /// All codes that have a number.
    package static var numbered: [Fault.Code: Int] { numbers }

    private static let numbers: [Fault.Code: Int] = [
        .soupNotFound: 1, .invalidSoupName: 2, .invalidStoreName: 3, .invalidIndexSpec: 4, .noIndexSpecs: 5,
        .invalidEntry: 6, .unsupportedFeature: 7, .json1WithExternalStorage: 8, .entryNotFound: 9,
        .pathNotIndexed: 10, .externalIdMissing: 11, .externalIdNotUnique: 12, .storeNotFound: 13,
        .invalidStoreConfig: 14, .invalidArguments: 15, .keyMissing: 16, .notEncrypted: 17, .notADatabase: 18,
        .wrongKey: 19, .encryptionUnavailable: 20, .invalidKey: 21, .libraryUnavailable: 22, .corrupt: 23,
        .readOnly: 24, .diskFull: 25, .busy: 26, .closed: 27, .inputOutput: 28, .invalidKeyName: 29,
        .storeNewerThanApp: 30, .migrationFailed: 31, .invalidQuerySpec: 32, .invalidPageSize: 33, .notASelect: 34,
        .invalidReference: 35, .matchInSmartSQL: 36, .argumentsMismatch: 37, .sqlError: 38,
        .invalidMatchExpression: 39, .invalidCursor: 40, .firstPage: 41, .lastPage: 42, .syntax: 43,
        .unsupported: 44, .unknownProperty: 45, .typeMismatch: 46, .invalidLiteral: 47, .arithmetic: 48,
        .invalidXML: 49, .doctypeForbidden: 50, .invalidJSON: 51, .truncated: 52, .limitExceeded: 53,
        .invalidMetadata: 54, .invalidCompression: 55, .invalidSOQL: 56, .invalidSync: 57, .syncNotFound: 58,
        .syncNameTaken: 59, .syncRunning: 60, .syncManagerStopped: 61, .syncManagerRunning: 62,
        .syncManagerExists: 63, .wrongSyncType: 64, .invalidSyncsConfig: 65, .unknownTarget: 66, .customTarget: 67,
        .noFields: 68, .cursorExpired: 69, .offline: 70, .noAnswer: 71, .unauthorized: 72, .refused: 73,
        .unavailable: 74, .malformedAnswer: 75, .inDoubt: 76, .conflict: 77, .metadataChanged: 78, .noDeltaLink: 79,
        .deltaExpired: 80, .foreignLink: 81, .invalidPlan: 82, .suspended: 83,
    ]
}
