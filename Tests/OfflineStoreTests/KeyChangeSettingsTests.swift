import FoundationEssentials
import Platform
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

/// Every setting that a store can be opened with survives a change of key: the store opens with the new key and the
/// settings it had before.
@Suite(.enabled(if: BackEnds.available.contains(.cipher), "SQLCipher is absent"))
struct KeyChangeSettingsTests {
    enum Change: CaseIterable {
        case plainToKey, keyToKey, keyToPlain
    }

    static let salt: [UInt8] = (0..<16).map { 100 + $0 }

    /// Settings with 500 rounds are used with a passphrase, settings without a number of rounds with a raw key. The
    /// salt matters for both.
    static let derivations: [CipherSettings] = [nil, 500].flatMap { iterations in
        [nil, 16, 32].flatMap { header in
            [nil, .sha256, .sha512].map { algorithm in
                CipherSettings(
                    kdfIterations: iterations, hmacAlgorithm: algorithm, plaintextHeaderSize: header,
                    salt: header == nil ? nil : salt)
            }
        }
    }

    /// Every 29th combination, which covers each pair of two settings; with SOUP_SWEEP=all every combination, 1,890
    /// stores.
    @Test(arguments: [1024, 2048, 4096, 8192, 16384, 32768, 65536])
    func `page size, derivation, format, authentication and plain header stay`(_ pageSize: Int) throws {
        let isWhole = ProcessInfo.processInfo.environment["SOUP_SWEEP"] == "all"
        var number = pageSize.trailingZeroBitCount
        for compatibility in [nil, 1, 2, 3, 4] {
            for derivation in Self.derivations {
                for change in Change.allCases {
                    number += 1
                    guard isWhole || number % 29 == 0 else { continue }
                    var cipher = derivation
                    cipher.compatibility = compatibility
                    do {
                        try check(ConnectionSettings(pageSize: pageSize, cipher: cipher), change)
                    } catch {
                        Issue.record("\(change), \(pageSize), \(cipher): \(error)")
                    }
                }
            }
        }
    }

    @Test
    func `a derivation as SQLCipher does it by default stays too`() throws {
        for change in Change.allCases {
            try check(ConnectionSettings(pageSize: 8192), change, passphrases: true)
        }
    }

    @Test
    func `settings that no file can have are refused before anything is touched`() throws {
        let setup = try StoreFolder(.cipherOff)
        let store = try setup.open()
        try store.close()
        let before = try Data(contentsOf: URL(filePath: setup.path))
        let salt = Self.salt
        let bad: [ConnectionSettings] = [
            ConnectionSettings(pageSize: 0), ConnectionSettings(pageSize: 1000), ConnectionSettings(pageSize: 131_072),
            ConnectionSettings(pageSize: -4096),
            ConnectionSettings(cipher: CipherSettings(compatibility: 0)),
            ConnectionSettings(cipher: CipherSettings(compatibility: 5)),
            ConnectionSettings(cipher: CipherSettings(kdfIterations: 0)),
            ConnectionSettings(cipher: CipherSettings(kdfIterations: 1 << 40)),
            ConnectionSettings(cipher: CipherSettings(plaintextHeaderSize: 32)),
            ConnectionSettings(cipher: CipherSettings(salt: [1, 2, 3])),
            ConnectionSettings(cipher: CipherSettings(plaintextHeaderSize: 20, salt: salt)),
            ConnectionSettings(cipher: CipherSettings(plaintextHeaderSize: -16, salt: salt)),
            ConnectionSettings(pageSize: 512, cipher: CipherSettings(plaintextHeaderSize: 448, salt: salt)),
        ]
        for settings in bad {
            for key in [nil, try BackEnds.key()] {
                let options = try setup.options {
                    $0.key = key
                    $0.settings = settings
                }
                for path in [setup.path, setup.folder.file("new.db")] {
                    let code = faultCode { _ = try SmartStore(path: path, options: options) }
                    #expect(code == .invalidArguments, "\(settings)")
                }
            }
        }
        #expect(try Data(contentsOf: URL(filePath: setup.path)) == before)
        #expect(Folder.names(in: setup.folder.path) == ["store.db"])
    }

    /// SQLCipher would write such a file, but nothing could read it again.
    @Test
    func `pages of 512 bytes are refused with a key, and a store without one keeps them`() throws {
        let setup = try StoreFolder(.cipherOff)
        let store = try setup.open { $0.settings.pageSize = 512 }
        try store.registerSoup("s", indexSpecs: [.string("k")])
        try store.upsert([#"{"k":"kept"}"#.bytes], into: "s")
        #expect(faultCode { try store.rekey(to: BackEnds.key()) } == .invalidArguments)
        #expect(try store.count(.exact(path: "k", matchKey: "kept"), soup: "s") == 1)
        try store.close()
        #expect(Folder.names(in: setup.folder.path) == ["store.db"])
        let keyed = try setup.options {
            $0.key = try? BackEnds.key()
            $0.settings.pageSize = 512
        }
        #expect(
            faultCode { _ = try SmartStore(path: setup.folder.file("new.db"), options: keyed) } == .invalidArguments)
        #expect(Folder.names(in: setup.folder.path) == ["store.db"])
    }

    /// A left-over log makes the key be tried on the files as they are: with the same settings.
    @Test(arguments: [1024, 4096, 8192, 65536], CipherSettings.HMACAlgorithm.allCases)
    func `a store of other settings opens with a log left over, and refuses another key`(
        _ pageSize: Int, _ algorithm: CipherSettings.HMACAlgorithm
    ) throws {
        let setup = try StoreFolder(.cipher)
        func apply(_ options: inout StoreOptions) {
            options.settings.pageSize = pageSize
            options.settings.cipher.hmacAlgorithm = algorithm
        }
        let store = try setup.open { apply(&$0) }
        try store.registerSoup("s", indexSpecs: [.string("k")])
        try store.upsert([#"{"k":"kept"}"#.bytes], into: "s")
        let copy = setup.folder.file("copy.db")
        try FileManager.default.copyItem(atPath: setup.path, toPath: copy)
        try FileManager.default.copyItem(atPath: setup.path + "-wal", toPath: copy + "-wal")
        let wrong = try setup.options {
            $0.key = try? BackEnds.key(99)
            apply(&$0)
        }
        #expect(faultCode { _ = try SmartStore(path: copy, options: wrong) } == .wrongKey)
        let right = try setup.options { apply(&$0) }
        #expect(try SmartStore(path: copy, options: right).count(.exact(path: "k", matchKey: "kept"), soup: "s") == 1)
    }

    @Test(arguments: CipherSettings.HMACAlgorithm.allCases)
    func `a store opens only with the authentication that it was made with`(
        _ algorithm: CipherSettings.HMACAlgorithm
    ) throws {
        let setup = try StoreFolder(.cipher)
        let store = try setup.open { $0.settings.cipher.hmacAlgorithm = algorithm }
        try store.registerSoup("s", indexSpecs: [.string("k")])
        try store.close()
        let before = try Data(contentsOf: URL(filePath: setup.path))
        for other in [nil] + CipherSettings.HMACAlgorithm.allCases {
            let fits = (other ?? .sha512) == algorithm
            for access in [ConnectionAccess.readWrite, .readOnly] {
                let code = faultCode {
                    let again = try setup.open {
                        $0.access = access
                        $0.settings.cipher.hmacAlgorithm = other
                    }
                    #expect(try again.allSoupNames() == ["s"])
                    try again.close()
                }
                #expect(code == (fits ? nil : .wrongKey))
            }
        }
        #expect(try Data(contentsOf: URL(filePath: setup.path)) == before)
    }

    /// Without authentication and with a plain header, a wrong key decrypts to a page that SQLite may take for a
    /// damaged one. The page differs with each random initialisation vector.
    @Test(arguments: [16, 32])
    func `another key is wrong, not damage, however the first page decrypts with it`(_ header: Int) throws {
        let setup = try StoreFolder(.cipherOff)
        let cipher = CipherSettings(compatibility: 1, plaintextHeaderSize: header, salt: Self.salt)
        let options = try setup.options {
            $0.key = try? BackEnds.key(1)
            $0.settings = ConnectionSettings(cipher: cipher)
        }
        let store = try SmartStore(path: setup.path, options: options)
        try store.registerSoup("s", indexSpecs: [.string("k")])
        try store.upsert([#"{"k":"kept"}"#.bytes], into: "s")
        try store.close()
        var codes: [Fault.Code?: Int] = [:]
        for number in 0..<300 {
            var other = options
            other.key = try Key(raw: [UInt8(number >> 8), UInt8(number & 255)] + Array(repeating: 0xA5, count: 30))
            other.access = number.isMultiple(of: 2) ? .readWrite : .readOnly
            codes[faultCode { _ = try SmartStore(path: setup.path, options: other) }, default: 0] += 1
        }
        #expect(codes == [.wrongKey: 300])
        #expect(Folder.names(in: setup.folder.path) == ["store.db"])
        #expect(try SmartStore(path: setup.path, options: options).count(.all(), soup: "s") == 1)
    }

    @Test
    func `an export has the authentication that it was asked for`() throws {
        let setup = try StoreFolder(.cipherOff)
        let library = try BackEnd.cipher.library()
        let settings = ConnectionSettings(pageSize: 8192, cipher: CipherSettings(hmacAlgorithm: .sha256))
        try setup.open().close()
        let copy = setup.folder.file("copy.db")
        try setup.look { try $0.export(to: copy, key: BackEnds.key(), settings: settings) }
        #expect(faultCode { _ = try Connection(path: copy, library: library, key: BackEnds.key()) } == .wrongKey)
        let connection = try Connection(path: copy, library: library, key: BackEnds.key(), settings: settings)
        #expect(try connection.value("PRAGMA cipher_hmac_algorithm") == .text("HMAC_SHA256"))
        #expect(try connection.value("PRAGMA cipher_use_hmac") == .text("1"))
        #expect(try connection.integer("PRAGMA page_size") == 8192)
    }

    private func check(_ settings: ConnectionSettings, _ change: Change, passphrases: Bool = false) throws {
        let what = Comment(rawValue: "\(change), \(settings.pageSize), \(settings.cipher)")
        let setup = try StoreFolder(.cipherOff)
        func key(_ seed: UInt8) throws -> Key {
            let isDerived = passphrases || settings.cipher.kdfIterations != nil
            return isDerived ? try Key(passphrase: "passphrase \(seed)") : try BackEnds.key(seed)
        }
        let old = change == .plainToKey ? nil : try key(1)
        let new = change == .keyToPlain ? nil : try key(2)
        let options = try setup.options {
            $0.key = old
            $0.settings = settings
        }
        let store = try SmartStore(path: setup.path, options: options)
        try store.registerSoup("s", indexSpecs: [.string("k"), .fullText("t")])
        let entries = try store.upsert((1...20).map { "{\"k\":\"\($0)\",\"t\":\"some words\"}".bytes }, into: "s")
        try store.rekey(to: new)
        #expect(try store.retrieve(ids: Array(1...20), from: "s") == entries, what)
        try store.close()

        var reopening = options
        reopening.key = new
        let again = try SmartStore(path: setup.path, options: reopening)
        #expect(try again.retrieve(ids: Array(1...20), from: "s") == entries, what)
        #expect(try again.count(.match(matchKey: "words"), soup: "s") == 20, what)
        try again.connections.read { (session) throws(Fault) in
            let isSound = try session.connection.value("PRAGMA integrity_check") == .text("ok")
            #expect(isSound, what)
            let isOldFormat = new != nil && (settings.cipher.compatibility ?? 4) < 4
            let expected = isOldFormat && settings.pageSize == 4096 ? 1024 : settings.pageSize
            let pageSize = try session.connection.integer("PRAGMA page_size")
            #expect(pageSize == Int64(expected), what)
        }
        try again.close()
        reopening.access = .readOnly
        let reader = try SmartStore(path: setup.path, options: reopening)
        #expect(try reader.retrieve(ids: Array(1...20), from: "s") == entries, what)
        try reader.close()
        if new != nil {
            reopening.key = try key(3)
            #expect(faultCode { _ = try SmartStore(path: setup.path, options: reopening) } == .wrongKey, what)
        }
        let refused = faultCode { _ = try SmartStore(path: setup.path, options: options) }
        let hasPlainHeader = settings.cipher.plaintextHeaderSize != nil
        switch change {
        case .plainToKey: #expect(refused == .keyMissing, what)
        case .keyToKey: #expect(refused == .wrongKey, what)
        case .keyToPlain: #expect(refused == (hasPlainHeader ? .wrongKey : .notEncrypted), what)
        }
        #expect(Folder.names(in: setup.folder.path) == ["store.db"], what)
    }
}
