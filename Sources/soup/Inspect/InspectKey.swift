import Libc
import OData
import Platform
import SQLiteAccess
import Soups

/// Reads the key of a store from where others cannot see it.
enum InspectKey {
    /// The key that the options name; nil if they name none.
    static func read(_ opening: InspectOpening) throws(Fault) -> Key? {
        var bytes: [UInt8]
        if let path = opening.keyFile {
            warnIfReadable(path)
            bytes = try all(try? OpenFile(path), "the key file \(path)")
        } else if let descriptor = opening.keyFd ?? opening.keyHexFd {
            bytes = try all(OpenFile(borrowing: descriptor), "the descriptor \(descriptor)")
        } else {
            return nil
        }
        defer { overwrite(&bytes) }
        let form: Form = opening.keyHexFd != nil ? .hexadecimal : bytes.count == rawSize ? .raw : .text
        return try key(of: bytes, form, asBase64: opening.keyBase64Bytes)
    }

    /// Asks for the key on the terminal, without showing it; nil if there is no terminal.
    static func ask(_ opening: InspectOpening) throws(Fault) -> Key? {
        guard OpenFile.standardInput.isTerminal else { return nil }
        var bytes = try HiddenInput.line("key of the store (64 hexadecimal digits for a raw key): ")
        defer { overwrite(&bytes) }
        let isHex = bytes.count == 64 && bytes.allSatisfy { hexDigit($0) != nil }
        return try key(of: bytes, isHex ? .hexadecimal : .text, asBase64: opening.keyBase64Bytes)
    }

    private enum Form { case raw, hexadecimal, text }

    private static func key(of given: [UInt8], _ form: Form, asBase64: Bool) throws(Fault) -> Key {
        var bytes = given
        defer { overwrite(&bytes) }
        if form != .raw, bytes.last == UInt8(ascii: "\n") {
            bytes.removeLast()
            if bytes.last == UInt8(ascii: "\r") {
                bytes.removeLast()
            }
        }
        if form == .hexadecimal {
            guard bytes.count == 2 * rawSize, bytes.allSatisfy({ hexDigit($0) != nil }) else {
                throw Fault(.invalidKey, "a raw key has 64 hexadecimal digits")
            }
            bytes = stride(from: 0, to: bytes.count, by: 2).map { index in
                (hexDigit(bytes[index]) ?? 0) << 4 | (hexDigit(bytes[index + 1]) ?? 0)
            }
        }
        if asBase64 {
            var text = Array(Base64.encode(bytes).utf8)
            defer { overwrite(&text) }
            return try Key(passphrase: text)
        }
        return form == .text ? try Key(passphrase: bytes) : try Key(raw: bytes)
    }

    /// The salt that the options name.
    static func salt(_ opening: InspectOpening) throws(Fault) -> [UInt8]? {
        guard let path = opening.saltFile else { return nil }
        return try all(try? OpenFile(path), "the salt file \(path)")
    }

    private static let rawSize = 32

    private static func all(_ file: OpenFile?, _ what: String) throws(Fault) -> [UInt8] {
        // A key is short: a wrong path may lead to anything.
        guard let file, let bytes = try? file.readAll(limit: 1 << 16) else {
            throw Fault(.invalidKey, "cannot read \(what)")
        }
        return bytes
    }

    private static func warnIfReadable(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o044 != 0 else { return }
        StandardError.say("warning: others can read the key file \(path); chmod 600 keeps them out")
    }

    private static func overwrite(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { $0.overwrite() }
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
