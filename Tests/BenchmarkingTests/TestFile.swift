import Foundation

/// Writes files for tests.
enum TestFile {
    static func write(_ bytes: [UInt8], to path: String) -> Bool {
        FileManager.default.createFile(atPath: path, contents: Data(bytes))
    }
}
