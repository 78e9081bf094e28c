import Conformance
import FoundationEssentials
import SQLiteAccess
import TestSupport

/// The vectors of the project, and those of the specification if the test data include them.
enum Corpora {
    static let folder = TestData.packageRoot + "/Corpora"

    /// Every vector file, by its path below the folder.
    static let files: [String] = ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? [])
        .filter { $0.hasSuffix(".json") && !$0.hasSuffix(".schema.json") }.sorted()

    /// The example files of the specification; empty if they are absent.
    static let examples: [String] = {
        let folder = TestData.root + "/../vectors"
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".json") }
            .sorted().map { folder + "/" + $0 }
    }()

    /// Each file with the back ends to run it on: all of them, but only one for files of OData, which use no store.
    static let runs: [(file: String, backEnd: BackEnd)] = (files + examples).flatMap { file in
        (file.hasPrefix("odata/") ? [.plain] : BackEnd.allCases).map { (file, $0) }
    }

    static func read(_ file: String) throws -> [VectorFile] {
        try VectorFolder(paths: [file.hasPrefix("/") ? file : folder + "/" + file]).files
    }

    /// All vectors, read once: reading them takes longer than running most files.
    private static let whole = Result { try VectorFolder(paths: [folder]) }

    static func all() throws -> [VectorFile] { try whole.get().files }

    /// The expected failures of a back end for the cases of these files.
    static func expected(_ backEnd: String, in files: [VectorFile]) throws -> ExpectedFailures {
        let ids = Set(files.flatMap(\.cases).map(\.id))
        return try whole.get().expectedFailures(backEnd: backEnd).restricted { ids.contains($0) }
    }
}
