import CSQLite
import Soups
import TestSupport
import Testing

@testable import SQLiteAccess

@Suite struct LibraryTests {
    @Test func `both libraries answer for themselves in one process`() throws {
        let plain = try SQLiteLibrary.find(.plain)
        #expect(plain.capabilities.encryption == false)
        #expect(plain.capabilities.cipherVersion == nil)
        #expect(plain.capabilities.fts5 && plain.capabilities.json1)
        try BackEnd.cipher.skipIfMissing()
        let cipher = try SQLiteLibrary.find(.cipher)
        #expect(cipher.capabilities.encryption)
        #expect(cipher.capabilities.cipherVersion?.first.map { $0 >= "4" } == true)
        #expect(plain.sourceID != cipher.sourceID)
        #expect(plain !== cipher)
        #expect(try SQLiteLibrary.find(.plain) === plain)
    }

    @Test(.enabled(if: BackEnds.available.contains(.cipher), "SQLCipher is absent"))
    func `a library says what encrypts`() throws {
        let answers = Dictionary(uniqueKeysWithValues: try BackEnd.cipher.library().cipherAnswers())
        #expect(answers["cipher_version"]?.hasPrefix("4") == true)
        #expect(answers["cipher_provider"]?.isEmpty == false && answers["cipher_provider_version"]?.isEmpty == false)
        #expect(answers["cipher_fips_status"] == "0" || answers["cipher_fips_status"] == "1")
        #expect(try BackEnd.plain.library().cipherAnswers().isEmpty)
    }

    @Test func `without SQLCipher the continuous integration is red`() {
        #expect(
            !BackEnds.cipherIsRequired || BackEnds.missing.isEmpty,
            "no SQLCipher 4 here: run ci/setup, or set SOUP_WITHOUT_CIPHER=1 if that is meant")
    }

    @Test(.enabled(if: !BackEnds.missing.isEmpty, "all back ends are here"))
    func `back ends that are missing are named`() {
        withKnownIssue(
            "skipped on \(BackEnds.missing.map(\.rawValue).joined(separator: ", ")): each case is named on a line \"skipped\". Run ci/setup."
        ) {
            #expect(BackEnds.missing.isEmpty)
        }
    }

    @Test func `a file that is no library is refused by name`() throws {
        let fault = #expect(throws: Fault.self) { try SQLiteLibrary.load(.plain, at: #filePath) }
        #expect(fault?.code == .libraryUnavailable)
        #expect(throws: Fault.self) { try SQLiteLibrary.load(.cipher, at: "/nowhere/libsqlcipher.so") }
    }

    @Test func `plain SQLite is not taken for SQLCipher`() throws {
        let fault = #expect(throws: Fault.self) { try SQLiteLibrary.load(.cipher, at: SQLiteLibrary.find(.plain).path) }
        #expect(fault?.message.contains("is not SQLCipher 4") == true)
    }

    /// The codec's functions are taken out of the table: the library must then report that it cannot encrypt, and
    /// refuse a key instead of ignoring it silently.
    @Test(.enabled(if: BackEnds.available.contains(.cipher)))
    func `without the codec's entry points a library cannot encrypt`() throws {
        var table = try SQLiteLibrary.find(.cipher).table.pointee
        table.key_v2 = nil
        let crippled = try SQLiteLibrary(
            flavour: .cipher, path: "crippled", source: .loaded(path: "crippled"), table: table)
        #expect(crippled.capabilities.encryption == false)
        let folder = try TemporaryFolder()
        let fault = #expect(throws: Fault.self) {
            _ = try Connection(path: folder.file("a.db"), library: crippled, key: BackEnds.key())
        }
        #expect(fault?.code == .encryptionUnavailable)
    }

    @Test func `a function that is missing is named`() throws {
        var table = sq_api()
        var isShared: Int32 = 0
        var detail = [CChar](repeating: 0, count: 256)
        let result = sq_load("libz.so.1", SQ_ISOLATION_AUTOMATIC, &table, &isShared, &detail, detail.count)
        let said = String(decoding: detail.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #expect(result == SQ_FUNCTION_MISSING || result == SQ_NOT_LOADABLE)
        if result == SQ_FUNCTION_MISSING {
            #expect(said.hasPrefix("sqlite3_"))
        }
    }
}
