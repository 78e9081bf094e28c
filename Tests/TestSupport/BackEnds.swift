import FoundationEssentials
public import SQLiteAccess
public import Soups
public import Testing

extension BackEnd: CustomTestStringConvertible {
    public var testDescription: String { rawValue }
}

/// Says which back ends tests run on. Without SQLCipher only the plain one remains; the others are counted and named as
/// skipped, which is an error with CI=true unless SOUP_WITHOUT_CIPHER=1 is set.
public enum BackEnds {
    /// The back ends whose library is installed.
    public static let available: [BackEnd] = BackEnd.allCases.filter { (try? $0.library()) != nil }

    public static let missing: [BackEnd] = BackEnd.allCases.filter { !available.contains($0) }

    /// Whether tests must not pass without SQLCipher.
    public static var cipherIsRequired: Bool {
        let environment = ProcessInfo.processInfo.environment
        return environment["CI"] == "true" && environment["SOUP_WITHOUT_CIPHER"] != "1"
    }

    /// The key of tests: a raw one, which needs no derivation.
    public static func key(_ seed: UInt8 = 7) throws(Fault) -> Key {
        try Key(raw: (0..<32).map { seed &+ UInt8($0) })
    }
}

extension BackEnd {
    /// Skips the test case if this back end's library is missing. Swift Testing only reports that a parameterised test
    /// passed, so each skipped case is printed on a line of its own, and the process prints their number at its end.
    ///
    /// - Parameter cases: The number of cases that this one stands for, for example those of a file of vectors.
    public func skipIfMissing(cases: Int = 1) throws {
        guard BackEnds.missing.contains(self) else { return }
        let name = Test.current.map { $0.displayName ?? $0.name } ?? "a test"
        SkippedCases.count(cases, "\(name) on \(rawValue)")
        try Test.cancel("\(cases) skipped: the library of \(rawValue) is not here (run ci/setup)")
    }

    /// Opens a connection as this back end does, with the key of tests if it has one.
    public func connect(
        _ path: String, access: ConnectionAccess = .create, settings: ConnectionSettings = ConnectionSettings()
    ) throws(Fault) -> Connection {
        try Connection(
            path: path, library: library(), access: access, key: isKeyed ? BackEnds.key() : nil, settings: settings)
    }
}
