import Foundation
import OData
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import soup

/// Keys and cipher settings of `soup inspect`: APP-62.
@Suite(.enabled(if: BackEnds.available.contains(.cipher), "SQLCipher is absent"))
struct InspectKeyTests {
    private static let passphrase = "correct horse battery staple"
    private static let salt: [UInt8] = (0..<16).map { 100 + $0 }

    private func store(_ cipher: CipherSettings = .init(), key: Key? = nil) throws -> InspectedFolder {
        let inspected = try InspectedFolder()
        try inspected.make(.cipher, key: key ?? Key(passphrase: Self.passphrase)) { $0.settings.cipher = cipher }
            .close()
        return inspected
    }

    private static let made: [(name: String, settings: CipherSettings, options: [String])] = [
        ("default", CipherSettings(), []),
        ("mobile-sdk", CipherSettings(kdfIterations: 4000), []),
        ("mobile-sdk-7", CipherSettings(compatibility: 3, kdfIterations: 4000), []),
        // As SQLCipher 3 makes its files.
        ("default", CipherSettings(compatibility: 3), ["--cipher", "default", "--compatibility", "3"]),
        ("default", CipherSettings(kdfIterations: 1234), ["--cipher", "default", "--kdf-iter", "1234"]),
    ]

    @Test(arguments: made.indices)
    func `a store of each settings opens, by itself or with the options that name them`(_ index: Int) throws {
        let (name, settings, options) = Self.made[index]
        let inspected = try store(settings)
        let key = try inspected.keyFile((Self.passphrase + "\n").utf8)
        let ended = try inspected.inspect(["count", "people", "--format", "csv", "--key-file", key] + options)
        #expect(ended.code == 0 && ended.output == "count\n30\n", "\(ended.errors)")
        #expect(ended.errors.contains("encrypted with the settings \(name)") == options.isEmpty)
        let check = try inspected.inspect(["check", "--key-file", key] + options)
        #expect(check.code == 0, "\(check.output) \(check.errors)")
    }

    @Test func `a store that SQLCipher 3 has made opens with the settings of an old Mobile SDK`() throws {
        let inspected = try InspectedFolder()
        try #require(SQLCipher3File.bytes).write(to: URL(fileURLWithPath: inspected.path))
        let key = try inspected.keyFile(Self.passphrase.utf8)
        let ended = try inspected.inspect(["show", "people", "--format", "jsonl", "--key-file", key])
        #expect(ended.code == 0 && ended.errors.contains("encrypted with the settings mobile-sdk-7"), "\(ended.errors)")
        #expect(ended.output.split(separator: "\n").map { $0.contains("Ada") } == [true, false], "\(ended.output)")
        let check = try inspected.inspect(["check", "--key-file", key, "--cipher", "mobile-sdk-7"])
        #expect(check.code == 0, "\(check.output) \(check.errors)")
    }

    @Test func `a store with a plain header needs its salt`() throws {
        let inspected = try store(CipherSettings(kdfIterations: 4000, plaintextHeaderSize: 32, salt: Self.salt))
        let key = try inspected.keyFile(Self.passphrase.utf8)
        let salt = key + "-salt"
        try Data(Self.salt).write(to: URL(fileURLWithPath: salt))
        defer { try? FileManager.default.removeItem(atPath: salt) }
        let ended = try inspected.inspect([
            "count", "people", "--format", "csv", "--key-file", key, "--salt-file", salt,
        ])
        #expect(ended.code == 0 && ended.output == "count\n30\n", "\(ended.errors)")
        #expect(try inspected.inspect(["--key-file", key]).code == 4)
        #expect(try inspected.inspect(["--key-file", key, "--cipher", "mobile-sdk-ios-shared"]).code == 2)
    }

    @Test func `a key comes from a file, a descriptor or hexadecimal digits`() throws {
        let bytes: [UInt8] = (0..<32).map { 200 + $0 }
        let raw = try store(key: Key(raw: bytes))
        let hex = bytes.map { String($0, radix: 16) }.joined()
        let file = try raw.keyFile(bytes)
        #expect(try raw.inspect(["count", "people", "--key-file", file]).code == 0)
        #expect(try raw.shell("$soup count people --key-fd 7 7<\(file)").code == 0)
        #expect(try raw.shell("echo \(hex) | $soup count people --key-hex-fd 0").code == 0)
        #expect(try raw.shell("echo \(hex)00 | $soup count people --key-hex-fd 0").code == 4)
        // A passphrase of 32 bytes has a line feed behind it.
        let text = String(repeating: "p", count: 32)
        let phrase = try store(key: Key(passphrase: text))
        #expect(try phrase.inspect(["count", "people", "--key-file", phrase.keyFile((text + "\n").utf8)]).code == 0)
        #expect(try phrase.inspect(["count", "people", "--key-file", phrase.keyFile(text.utf8)]).code == 4)
        // Mobile SDK on iOS.
        let base64 = try store(key: Key(passphrase: Base64.encode(bytes)))
        #expect(
            try base64.inspect(["count", "people", "--key-base64-bytes", "--key-file", base64.keyFile(bytes)]).code == 0
        )
    }

    @Test func `a wrong or missing key ends with 4, and is in no message`() throws {
        let inspected = try store()
        let wrong = "wrong-\(InspectedFolder.marker)"
        for (key, code) in [(wrong, "wrongKey"), ("", "invalidKey")] {
            let ended = try inspected.inspect(["--key-file", inspected.keyFile(key.utf8)])
            #expect(ended.code == 4 && ended.errors.contains("[\(code)]"), "\(ended.errors)")
            #expect(!ended.errors.contains(InspectedFolder.marker))
        }
        let missing = try inspected.shell("$soup </dev/null")
        #expect(missing.code == 4 && missing.errors.contains("[keyMissing]"), "\(missing.errors)")
        #expect(try inspected.shell("SOUP_KEY='\(Self.passphrase)' $soup </dev/null").code == 4)
        let plain = try InspectedFolder()
        try plain.make(.plain).close()
        let notEncrypted = try plain.inspect(["--key-file", plain.keyFile(Self.passphrase.utf8)])
        #expect(notEncrypted.code == 4 && notEncrypted.errors.contains("[notEncrypted]"), "\(notEncrypted.errors)")
    }

    @Test func `a key file that others can read is a warning`() throws {
        let inspected = try store()
        let key = try inspected.keyFile(Self.passphrase.utf8)
        #expect(!(try inspected.inspect(["--key-file", key]).errors.contains("others can read")))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        let ended = try inspected.inspect(["--key-file", key])
        #expect(ended.code == 0 && ended.errors.contains("others can read"))
    }
}
