import Soups

/// Names one of the ways in which a cell's work is done: a back end, a program, a setting. Arms of a cell are measured
/// in turn, side by side.
///
/// A name is short, in lower case, and may end in `@build`: then another build of the program does the work (see
/// `ci/regression`).
public struct Arm: Hashable, Sendable {
    private let key: ByteKey

    public init(_ name: String) { key = ByteKey(name) }

    public var name: String { key.text }

    /// libsqlite3.
    public static let plain = Arm("plain")
    /// SQLCipher's library without a key: another version and build of SQLite, nothing more.
    public static let cipherOff = Arm("cipher-off")
    /// SQLCipher with a raw key.
    public static let cipher = Arm("cipher")
    /// SQLCipher with a passphrase; differs from `cipher` in opening only.
    public static let passphrase = Arm("passphrase")
    /// The same statements in bare calls on libsqlite3: what the store cannot be faster than.
    public static let floor = Arm("floor")
    /// `plain` once more: its ratio to `plain` is 1 by construction, so what it shows is the noise of this machine.
    public static let plainAgain = Arm("plain-again")

    /// No arm: the other side of a row whose arm has nothing to be compared with.
    public static let none = Arm("")

    /// The work that the arm does: the name without the build, and `plain` for its own repetition.
    public var work: Arm {
        let base =
            name.utf8.split(separator: UInt8(ascii: "@"), maxSplits: 1).first.map {
                Arm(String(decoding: $0, as: UTF8.self))
            } ?? self
        return base == .plainAgain ? .plain : base
    }

    /// The build that does it; nil for this one.
    public var build: String? {
        let parts = name.utf8.split(separator: UInt8(ascii: "@"), maxSplits: 1)
        return parts.count == 2 ? String(decoding: parts[1], as: UTF8.self) : nil
    }

    /// The back end that does it. Arms with names of their own begin with a back end's: `cipher/json1`, `plain/string`.
    public var backend: Arm {
        work.name.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1).first.map {
            Arm(String(decoding: $0, as: UTF8.self))
        } ?? work
    }

    /// Whether its files must be encrypted.
    public var isEncrypted: Bool { backend == .cipher || backend == .passphrase }

    /// The name of a build that is another one made again, of the same source in another folder.
    public static func again(_ build: String) -> String { build + "-again" }

    public func on(build: String) -> Arm { Arm(name + "@" + build) }
}

// MARK: - Ways of working on one back end
extension Arm {
    /// The back ends on which claims are weighed.
    static let backEnds = ["plain", "cipher"]

    /// A way of working on a back end: `plain/string`.
    init(_ backEnd: String, _ way: String) { self.init(backEnd + "/" + way) }

    /// What stands behind the back end's name; empty for a back end itself.
    var way: String {
        let parts = work.name.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1)
        return parts.count == 2 ? String(decoding: parts[1], as: UTF8.self) : ""
    }

    /// Every way on every back end, the ways of one back end together.
    static func all(_ ways: String...) -> [Arm] { backEnds.flatMap { backEnd in ways.map { Arm(backEnd, $0) } } }
}

extension Cell.Comparison {
    /// Two ways of working, on each back end.
    static func ways(_ base: String, _ arm: String, sameAnswer: Bool = true) -> [Cell.Comparison] {
        Arm.backEnds.map { Cell.Comparison(Arm($0, base), Arm($0, arm), sameAnswer: sameAnswer) }
    }
}

extension Arm: ExpressibleByStringLiteral, CustomStringConvertible {
    public init(stringLiteral value: String) { self.init(value) }
    public var description: String { name }
}
