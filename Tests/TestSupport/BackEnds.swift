import FoundationEssentials
public import SQLiteAccess
public import Soups
public import Testing

extension BackEnd: CustomTestStringConvertible {
    public var testDescription: String { rawValue }
}

/// Says which back ends tests run on. Without SQLCipher the plain one alone remains; the others are counted and named
/// as skipped, and that is an error with CI=true, unless SOUP_WITHOUT_CIPHER=1 says that it is meant.
public enum BackEnds {
    /// Those whose library is here.
    public static let available: [BackEnd] = BackEnd.allCases.filter { (try? $0.library()) != nil }

    public static let missing: [BackEnd] = BackEnd.allCases.filter { !available.contains($0) }

    /// Whether tests must not pass without SQLCipher.
    public static var cipherIsRequired: Bool {
        let environment = ProcessInfo.processInfo.environment
        return environment["CI"] == "true" && environment["SOUP_WITHOUT_CIPHER"] != "1"
    }

    /// The key of tests: raw, so that no derivation is paid for.
    public static func key(_ seed: UInt8 = 7) throws(Fault) -> Key {
        try Key(raw: (0..<32).map { seed &+ UInt8($0) })
    }
}

extension BackEnd {
    /// Skips the case that runs where this back end's library is not here. Swift Testing says of a parameterised test
    /// only that it passed, so the case is named on a line of its own, and the process says at its end how many there
    /// were.
    ///
    /// - Parameter cases: how many cases of a file of vectors, say, this one stands for.
    public func skipIfMissing(cases: Int = 1) throws {
        guard BackEnds.missing.contains(self) else { return }
        let name = Test.current.map { $0.displayName ?? $0.name } ?? "a test"
        SkippedCases.count(cases, "\(name) on \(rawValue)")
        try Test.cancel("\(cases) skipped: the library of \(rawValue) is not here (run ci/setup)")
    }

    /// Opens a connection as this back end does, with the key of tests where it has one.
    public func connect(
        _ path: String, access: Connection.Access = .create, settings: ConnectionSettings = ConnectionSettings()
    ) throws(Fault) -> Connection {
        try Connection(
            path: path, library: library(), access: access, key: isKeyed ? BackEnds.key() : nil, settings: settings)
    }
}
