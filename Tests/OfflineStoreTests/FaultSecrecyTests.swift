import Foundation
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// Faults, and events, never hold what was stored or given to be stored: APP-82. Every fault that the store can throw
/// is driven with a marker in entries, keys of queries, arguments, passphrases and values of key-value stores.
@Suite struct FaultSecrecyTests {
    /// No text of this library has it.
    static let marker = "Zq7MarkerXv"

    /// Codes that no call of a store throws with something stored at hand, and where they come from.
    private static let elsewhere: [String: String] = [
        "syntax unknownProperty invalidLiteral arithmetic invalidXML doctypeForbidden truncated": "OData",
        "invalidMetadata invalidCompression": "OData",
        "metadataChanged noDeltaLink deltaExpired foreignLink invalidPlan": "OfflineOData",
        "invalidSOQL": "SOQL",
        "invalidSync syncNotFound syncNameTaken syncRunning syncManagerStopped syncManagerRunning": "OfflineSync",
        "syncManagerExists wrongSyncType invalidSyncsConfig unknownTarget customTarget noFields": "OfflineSync",
        "cursorExpired offline noAnswer unauthorized refused unavailable malformedAnswer inDoubt": "OfflineSync",
        "unsupported": "OData",
        "invalidStoreConfig unsupportedFeature": "calls that get no value",
        "storeNotFound libraryUnavailable notADatabase": "calls that get no value",
        "invalidCursor": "drivers of vectors",
    ]

    @Test func `every code is driven here, or comes from elsewhere`() throws {
        let driven = Set(try StoreDrives(.plain).all.compactMap(\.code?.rawValue)).union(
            try KeyDrives.all.compactMap(\.code?.rawValue))
        let others = Set(Self.elsewhere.keys.flatMap { $0.split(separator: " ").map(String.init) })
        let file = TestData.packageRoot + "/Sources/Soups/Fault+Code.swift"
        let source = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        let codes = Set(source.matches(of: /Self\(rawValue: "(\w+)"\)/).map { String($0.1) })
        #expect(codes.subtracting(driven).subtracting(others).sorted() == [])
        #expect(driven.intersection(others).sorted() == [])
    }

    @Test(arguments: BackEnd.allCases)
    func `no fault of a store holds a value`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let drives = try StoreDrives(backEnd)
        for drive in drives.all {
            try Self.check(drive)
        }
        let statements = drives.statements.withLock { $0 }
        #expect(statements.count > 10)
        for statement in statements where Self.isMarked(statement) {
            Issue.record("an event: \(statement)")
        }
    }

    @Test(.enabled(if: BackEnds.available.contains(.cipher), "SQLCipher is absent"))
    func `no fault about a key holds it`() throws {
        for drive in try KeyDrives.all {
            try Self.check(drive)
        }
    }

    private static func check(_ drive: Drive) throws {
        do {
            try drive.call()
            Issue.record("\(drive.code?.rawValue ?? "an error"): nothing was thrown")
        } catch {
            let fault = (error as? Fault) ?? underlyingFault(error)
            #expect(fault?.code == drive.code, "\(error)")
            for text in texts(error) + (fault.map(texts) ?? []) where isMarked(text) {
                Issue.record("\(drive.code?.rawValue ?? "an error"): \(text)")
            }
        }
    }

    private static func underlyingFault(_ error: any Error) -> Fault? {
        switch error {
        case DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context),
            DecodingError.valueNotFound(_, let context), DecodingError.keyNotFound(_, let context):
            context.underlyingError as? Fault
        default: nil
        }
    }

    /// All that a log may get of an error.
    private static func texts(_ error: any Error) -> [String] {
        var dumped = ""
        dump(error, to: &dumped)
        let cocoa = error as NSError
        let localized = error as? any LocalizedError
        return [
            "\(error)", String(reflecting: error), error.localizedDescription, dumped, "\(cocoa.userInfo)",
            localized?.errorDescription ?? "", localized?.failureReason ?? "", localized?.recoverySuggestion ?? "",
        ]
    }

    /// Whether a text has the marker, as it is, in hexadecimal or in base64.
    private static func isMarked(_ text: String) -> Bool {
        let hex = marker.utf8.map { String($0, radix: 16) }.joined()
        let base64 = Data(marker.utf8).base64EncodedString().prefix(12)
        return text.contains(marker) || text.lowercased().contains(hex) || text.contains(base64)
    }
}
