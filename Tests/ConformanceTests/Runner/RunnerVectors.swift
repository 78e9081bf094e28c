import Conformance
import FoundationEssentials
import TestSupport

/// The vectors that test the runner itself.
enum RunnerVectors {
    static let folder = TestData.packageRoot + "/Tests/ConformanceTests/RunnerVectors"

    static func files(_ name: String) throws -> [VectorFile] { try VectorFolder(paths: [folder + "/" + name]).files }

    static func names(in name: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder + "/" + name)) ?? []).sorted()
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(filePath: folder + "/" + name)))
    }

    /// Reads vectors from a text, which is written to a file first.
    static func files(text: String) throws -> [VectorFile] {
        let folder = try TemporaryFolder()
        try Data(text.utf8).write(to: URL(filePath: folder.file("vectors.json")))
        return try VectorFolder(paths: [folder.path]).files
    }
}
