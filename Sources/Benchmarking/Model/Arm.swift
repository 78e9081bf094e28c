import Soups

/// Names one way in which a cell's work is done: a back end, a program, a setting. The arms of a cell are measured in
/// turn.
///
/// A name is short, in lower case, and may end in `@build`: then another build of the program does the work (see
/// `ci/regression`).
package struct Arm: Hashable, Sendable {
    private let key: ByteKey

    package init(_ name: String) { key = ByteKey(name) }

    package var name: String { key.text }

    /// libsqlite3.
    package static let plain = Arm("plain")
    /// SQLCipher's library without a key: only the version and build of SQLite differ from `plain`.
    package static let cipherOff = Arm("cipher-off")
    /// SQLCipher with a raw key.
    package static let cipher = Arm("cipher")
    /// SQLCipher with a passphrase; it differs from `cipher` only when a store is opened.
    package static let passphrase = Arm("passphrase")
    /// The same statements in direct calls of libsqlite3: the store cannot be faster.
    package static let floor = Arm("floor")
    /// `plain` once more: its ratio to `plain` is 1 by construction, so what it shows is the noise of this machine.
    package static let plainAgain = Arm("plain-again")

    /// No arm: the other side of a row without a comparison.
    package static let none = Arm("")

    /// The name of the work: without the build, and `plain` for its own repetition.
    package var work: Arm {
        let base =
            name.utf8.split(separator: UInt8(ascii: "@"), maxSplits: 1).first.map {
                Arm(String(decoding: $0, as: UTF8.self))
            } ?? self
        return base == .plainAgain ? .plain : base
    }

    /// The build that does it; nil for this one.
    package var build: String? {
        let parts = name.utf8.split(separator: UInt8(ascii: "@"), maxSplits: 1)
        return parts.count == 2 ? String(decoding: parts[1], as: UTF8.self) : nil
    }

    /// The back end that does it. Arms with names of their own begin with a back end's: `cipher/json1`, `plain/string`.
    package var backend: Arm {
        work.name.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1).first.map {
            Arm(String(decoding: $0, as: UTF8.self))
        } ?? work
    }

    /// Whether its files must be encrypted.
    package var isEncrypted: Bool { backend == .cipher || backend == .passphrase }

    /// The name for a second build of the same source in another folder.
    package static func again(_ build: String) -> String { build + "-again" }

    package func on(build: String) -> Arm { Arm(name + "@" + build) }
}

// MARK: - Ways of working on one back end
extension Arm {
    /// Creates the name of a way of working on a back end: `plain/string`.
    package init(_ backend: String, _ way: String) { self.init(backend + "/" + way) }

    /// The way of working in bare calls of SQLite: `cipher/floor`.
    package static let floorWay = "floor"

    /// The part of the name after the back end's; empty for a back end itself.
    package var way: String {
        let parts = work.name.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1)
        return parts.count == 2 ? String(decoding: parts[1], as: UTF8.self) : ""
    }
}

extension Arm: ExpressibleByStringLiteral, CustomStringConvertible {
    package init(stringLiteral value: String) { self.init(value) }
    package var description: String { name }
}
