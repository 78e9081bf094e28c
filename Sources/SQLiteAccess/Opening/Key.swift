import Platform
public import Soups

/// Keeps the key of an encrypted store: 32 raw bytes, or a passphrase from which SQLCipher derives them (some tenths of
/// a second for each connection).
///
/// ```swift
/// // The 32 bytes of the key, for example from the keychain.
/// let key = try Key(raw: secret)
/// let library = try SQLiteLibrary.find(.cipher)
/// let store = try SmartStore(path: path, options: StoreOptions(library: library, key: key))
/// ```
///
/// The memory is overwritten when the key is released. A key is never printed, compared with `==`, encoded, or part of
/// an error. Overwriting the bytes it was made from is up to the caller. Safe to share between threads, because it
/// never changes. Source: SQLCipher's `sqlite3_key_v2`.
public final class Key: Sendable {
    /// The text that is given to SQLCipher. `nonisolated(unsafe)` because a pointer is not `Sendable`: it is written
    /// once in `init`, overwritten in `deinit` and only read in between, so no lock is needed.
    nonisolated(unsafe) private let text: UnsafeMutableRawBufferPointer

    /// Takes a key of exactly 32 bytes, which needs no derivation.
    ///
    /// - Throws: `invalidKey` if there are not exactly 32 bytes.
    public convenience init(raw bytes: [UInt8]) throws(Fault) {
        let text = try bytes.withUnsafeBufferPointer { (source) throws(Fault) in
            try Key.literal(of: UnsafeRawBufferPointer(source))
        }
        self.init(text: text)
    }

    /// Takes a key of exactly 32 bytes from memory that the caller keeps, without copying them in between.
    ///
    /// - Throws: `invalidKey` if there are not exactly 32 bytes.
    package convenience init(lentBytes bytes: UnsafeRawBufferPointer) throws(Fault) {
        self.init(text: try Key.literal(of: bytes))
    }

    /// Creates a raw key of random bytes, of which there is no other copy.
    package static func random() -> Key {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: rawSize, alignment: 8)
        defer {
            bytes.overwrite()
            bytes.deallocate()
        }
        var generator = SystemRandomNumberGenerator()
        for offset in stride(from: 0, to: rawSize, by: 8) {
            bytes.storeBytes(of: generator.next(), toByteOffset: offset, as: UInt64.self)
        }
        return Key(text: literal(ofRawKey: UnsafeRawBufferPointer(bytes)))
    }

    /// Lends the 32 bytes of a raw key in memory that is overwritten afterwards. Not for a passphrase.
    package func withRawBytes<R>(_ body: (UnsafeRawBufferPointer) throws(Fault) -> R) throws(Fault) -> R {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Key.rawSize, alignment: 1)
        defer {
            bytes.overwrite()
            bytes.deallocate()
        }
        let characters = UnsafeBufferPointer(text.bindMemory(to: UInt8.self))
        guard characters.count == 2 * Key.rawSize + 3, Key.hasRawShape(characters) else {
            throw Fault(.invalidKey, "a passphrase has no raw bytes")
        }
        for index in 0..<Key.rawSize {
            bytes[index] = Key.value(ofHexDigit: text[2 + 2 * index]) << 4 | Key.value(ofHexDigit: text[3 + 2 * index])
        }
        return try body(UnsafeRawBufferPointer(bytes))
    }

    private static let rawSize = 32

    /// Takes a passphrase as UTF-8 bytes, which the caller can overwrite afterwards.
    ///
    /// - Throws: `invalidKey` if it is empty (SQLCipher would write plain text) or has the form of a raw key, `x'…'`
    ///   (SQLCipher would take it for one).
    public convenience init(passphrase: [UInt8]) throws(Fault) {
        self.init(text: try passphrase.withUnsafeBufferPointer { Self.copy(ofPassphrase: $0) }.get())
    }

    /// Takes a passphrase as a string. A string cannot be overwritten: if that matters, use bytes.
    ///
    /// - Throws: `invalidKey`, as `init(passphrase:)` with bytes does.
    public convenience init(passphrase: String) throws(Fault) {
        var passphrase = passphrase
        self.init(text: try passphrase.withUTF8 { Self.copy(ofPassphrase: $0) }.get())
    }

    private static func copy(
        ofPassphrase source: UnsafeBufferPointer<UInt8>
    ) -> Result<UnsafeMutableRawBufferPointer, Fault> {
        if source.isEmpty {
            return .failure(Fault(.invalidKey, "the passphrase is empty"))
        }
        if hasRawShape(source) {
            return .failure(
                Fault(
                    .invalidKey, "the passphrase has the form of a raw key; give 32 raw bytes, or another passphrase"))
        }
        let text = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 1)
        text.copyMemory(from: UnsafeRawBufferPointer(source))
        return .success(text)
    }

    private init(text: UnsafeMutableRawBufferPointer) { self.text = text }

    deinit {
        text.overwrite()
        text.deallocate()
    }

    /// Lends the text that is given to SQLCipher.
    func withText<R>(_ body: (UnsafeRawBufferPointer) throws(Fault) -> R) throws(Fault) -> R {
        try body(UnsafeRawBufferPointer(text))
    }

    /// Writes `x'`, 64 hexadecimal digits and `'`. SQLCipher would take the bare bytes for a passphrase.
    private static func literal(of bytes: UnsafeRawBufferPointer) throws(Fault) -> UnsafeMutableRawBufferPointer {
        guard bytes.count == rawSize else {
            throw Fault(.invalidKey, "a raw key has 32 bytes, not \(bytes.count)")
        }
        return literal(ofRawKey: bytes)
    }

    private static func literal(ofRawKey bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawBufferPointer {
        let text = UnsafeMutableRawBufferPointer.allocate(byteCount: 67, alignment: 1)
        text[0] = UInt8(ascii: "x")
        text[1] = UInt8(ascii: "'")
        for (index, byte) in bytes.enumerated() {
            text[2 + 2 * index] = hexDigit(byte >> 4)
            text[3 + 2 * index] = hexDigit(byte & 15)
        }
        text[66] = UInt8(ascii: "'")
        return text
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static func value(ofHexDigit digit: UInt8) -> UInt8 {
        digit <= UInt8(ascii: "9") ? digit - UInt8(ascii: "0") : digit - UInt8(ascii: "a") + 10
    }

    /// Whether SQLCipher would take the text for a raw key (`x'`, 64 digits, `'`) or for one with its salt (96 digits).
    private static func hasRawShape(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count == 67 || text.count == 99, text[0] | 0x20 == UInt8(ascii: "x"), text[1] == UInt8(ascii: "'"),
            text[text.count - 1] == UInt8(ascii: "'")
        else {
            return false
        }
        return text[2..<(text.count - 1)].allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
        }
    }
}

extension Key: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "Key" }
    public var debugDescription: String { "Key" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
