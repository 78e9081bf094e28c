import FoundationEssentials

/// Finds the folder of published test cases and real data: `SOUP_TEST_DATA`, else a folder `shared/data` next to the
/// package.
///
/// Tests that need it are skipped loudly if it is absent: `.enabled(if: TestData.isPresent("json-test-suite"),
/// TestData.skipComment)`.
public enum TestData {
    public static let skipComment = "the folder of test data is absent: set SOUP_TEST_DATA"

    public static let root: String = {
        if let named = ProcessInfo.processInfo.environment["SOUP_TEST_DATA"], !named.isEmpty {
            return named
        }
        return packageRoot + "/../shared/data"
    }()

    /// The folder that contains Package.swift.
    public static let packageRoot: String = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(3)
        return parts.joined(separator: "/")
    }()

    public static func isPresent(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: path(folder))
    }

    public static func path(_ name: String) -> String { root + "/" + name }

    /// The bytes of a file of test data.
    public static func bytes(_ name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(filePath: path(name))))
    }

    /// The names in a folder of test data, sorted.
    public static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted()
    }
}
