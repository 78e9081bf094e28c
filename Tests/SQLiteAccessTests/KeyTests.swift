import SQLiteAccess
import Soups
import TestSupport
import Testing

@Suite struct KeyTests {
    @Test func `what cannot be a key is refused`() throws {
        #expect(throws: Fault.self) { try Key(raw: []) }
        #expect(throws: Fault.self) { try Key(raw: [UInt8](repeating: 1, count: 31)) }
        #expect(throws: Fault.self) { try Key(raw: [UInt8](repeating: 1, count: 33)) }
        #expect(throws: Fault.self) { try Key(passphrase: "") }
        for shape in ["x'" + String(repeating: "0f", count: 32) + "'", "X'" + String(repeating: "AB", count: 48) + "'"]
        {
            let fault = #expect(throws: Fault.self) { try Key(passphrase: shape) }
            #expect(fault?.code == .invalidKey)
            #expect(fault?.message.contains("0f0f") == false)
        }
        _ = try Key(passphrase: "x'" + String(repeating: "0g", count: 32) + "'")
        _ = try Key(passphrase: "x'00'")
    }

    @Test func `a key is never printed`() throws {
        let key = try Key(passphrase: "hush-hush")
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped, "\([key])", "\(Optional(key) as Any)"] {
            #expect(!text.contains("hush"))
        }
    }

    @Test(.enabled(if: BackEnds.available.contains(.cipher))) func `a passphrase and a raw key are different keys`()
        throws
    {
        let folder = try TemporaryFolder()
        let library = try BackEnd.cipher.library()
        let connection = try Connection(
            path: folder.file("a.db"), library: library, key: Key(passphrase: "correct horse"))
        try connection.execute("CREATE TABLE t (a)")
        connection.close()
        #expect(throws: Fault.self) {
            _ = try Connection(path: folder.file("a.db"), library: library, key: BackEnds.key())
        }
        let reopened = try Connection(
            path: folder.file("a.db"), library: library, key: Key(passphrase: "correct horse"))
        #expect(try reopened.integer("SELECT count(*) FROM t") == 0)
    }
}
