/// Says how an encrypted file is laid out, for files that other programs wrote. Unset means SQLCipher 4's own defaults.
///
/// ```swift
/// var options = StoreOptions(library: try SQLiteLibrary.find(.cipher), key: try Key(passphrase: passphrase))
/// // As Mobile SDK writes its stores since version 7.2.
/// options.settings.cipher.kdfIterations = 4000
/// let store = try SmartStore(path: path, options: options)
/// ```
///
/// Mobile SDK's stores have `kdfIterations: 4000` since version 7.2, and before that also `compatibility: 3`. The size
/// of a page is `ConnectionSettings.pageSize`. Page authentication cannot be switched off. The settings belong to the
/// format of the file: it opens only with those that it was made with, and a change of key keeps them. Source:
/// SQLCipher's pragmas `cipher_compatibility`, `kdf_iter`, `cipher_hmac_algorithm`, `cipher_plaintext_header_size`,
/// `cipher_salt`.
public struct CipherSettings: Sendable, Hashable {
    /// Says which hash authenticates each page.
    public enum HMACAlgorithm: String, Sendable, Hashable, CaseIterable {
        /// SQLCipher 4's own.
        case sha512
        /// As safe for this purpose, with a code of 256 bits. Pages that are not in the cache are read 1.5 times as
        /// fast on processors with instructions for SHA-256, and more slowly on others: `soup tune` measures it.
        case sha256

        var pragma: String { "HMAC_\(rawValue.uppercased())" }
    }

    /// The major version of SQLCipher whose format the file has, 1 to 4.
    public var compatibility: Int?
    /// The number of rounds that derive a key from a passphrase.
    public var kdfIterations: Int?
    /// The hash that authenticates each page.
    public var hmacAlgorithm: HMACAlgorithm?
    /// Bytes at the start of the file that stay unencrypted: 32 if the system has to recognise a SQLite file, else 0.
    public var plaintextHeaderSize: Int?
    /// The 16 bytes that are used instead of the salt in the file; required with a plain header.
    public var salt: [UInt8]?

    /// Creates settings; what is nil is SQLCipher 4's default. They are checked when a file is opened.
    public init(
        compatibility: Int? = nil, kdfIterations: Int? = nil, hmacAlgorithm: HMACAlgorithm? = nil,
        plaintextHeaderSize: Int? = nil, salt: [UInt8]? = nil
    ) {
        self.compatibility = compatibility
        self.kdfIterations = kdfIterations
        self.hmacAlgorithm = hmacAlgorithm
        self.plaintextHeaderSize = plaintextHeaderSize
        self.salt = salt
    }

    /// The pragmas for these settings, in the order in which SQLCipher needs them after the key: a format sets a page
    /// size of its own, and the length of a plain header is checked against the page size.
    func pragmas(pageSize: Int, schema: String = "main") -> [String] {
        var pragmas: [String] = []
        if let compatibility {
            pragmas.append("PRAGMA \(schema).cipher_compatibility = \(compatibility)")
        }
        if pageSize != ConnectionSettings.defaultPageSize {
            pragmas.append("PRAGMA \(schema).cipher_page_size = \(pageSize)")
        }
        if let kdfIterations {
            pragmas.append("PRAGMA \(schema).kdf_iter = \(kdfIterations)")
        }
        if let hmacAlgorithm {
            pragmas.append("PRAGMA \(schema).cipher_hmac_algorithm = \(hmacAlgorithm.pragma)")
        }
        if let plaintextHeaderSize {
            pragmas.append("PRAGMA \(schema).cipher_plaintext_header_size = \(plaintextHeaderSize)")
        }
        if let salt {
            let digits = salt.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
            pragmas.append("PRAGMA \(schema).cipher_salt = \"x'\(digits)'\"")
        }
        return pragmas
    }

    var leavesPlainHeader: Bool { (plaintextHeaderSize ?? 0) >= 16 }
}
