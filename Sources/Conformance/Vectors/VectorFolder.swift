import Soups

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Finds and reads the vector files of files and folders.
public struct VectorFolder: Sendable {
    public let files: [VectorFile]
    /// The folders of expected failures in the given folders.
    public let expectedFailureFolders: [String]

    /// Reads the given files and all `.json` files in the given folders and their subfolders, sorted by name; JSON
    /// schemas are skipped.
    ///
    /// Lists of expected failures are searched in the given folder, otherwise in `expected-failures` of each folder.
    ///
    /// - Throws: `BrokenVectors` with all problems of all files: unreadable or malformed files, and ids that two files
    ///   share.
    public init(paths: [String], expectedFailures: String? = nil) throws(BrokenVectors) {
        var files: [VectorFile] = []
        var problems: [VectorProblem] = []
        var folders: [String] = []
        for path in paths {
            var isFolder = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                problems.append(VectorProblem(file: path, key: "", message: "no such file or folder"))
                continue
            }
            let found = isFolder ? Self.vectorFiles(below: path) : [path]
            if isFolder, found.isEmpty {
                problems.append(VectorProblem(file: path, key: "", message: "the folder has no vector file"))
            }
            for file in found {
                Self.read(file, into: &files, &problems)
            }
            let lists = path + "/expected-failures"
            if isFolder, FileManager.default.fileExists(atPath: lists) {
                folders.append(lists)
            }
        }
        var isFolderOfLists = false
        if let expectedFailures,
            !FileManager.default.fileExists(atPath: expectedFailures, isDirectory: &isFolderOfLists) || !isFolderOfLists
        {
            problems.append(
                VectorProblem(file: expectedFailures, key: "", message: "no such folder of expected failures"))
        }
        problems += Self.sharedIDs(of: files)
        guard problems.isEmpty else {
            throw BrokenVectors(problems: problems)
        }
        self.files = files
        expectedFailureFolders = expectedFailures.map { [$0] } ?? folders
    }

    /// The expected failures of a back end, from all folders of lists with a file of its name.
    public func expectedFailures(backEnd: String) throws(VectorProblem) -> ExpectedFailures {
        var expected = ExpectedFailures()
        for folder in expectedFailureFolders {
            let path = folder + "/" + backEnd + ".csv"
            guard Self.isFileName(backEnd), FileManager.default.fileExists(atPath: path) else {
                continue
            }
            expected = expected.adding(try ExpectedFailures(csv: Self.bytes(of: path), file: path))
        }
        return expected
    }

    /// The bytes of a file.
    static func bytes(of path: String) throws(VectorProblem) -> [UInt8] {
        do {
            return try [UInt8](Data(contentsOf: URL(filePath: path)))
        } catch {
            throw VectorProblem(file: path, key: "", message: "cannot be read")
        }
    }

    private static func read(_ path: String, into files: inout [VectorFile], _ problems: inout [VectorProblem]) {
        do {
            var reader = VectorReader(file: path)
            if let file = reader.read(try bytes(of: path)) {
                files.append(file)
            }
            problems += reader.problems
        } catch {
            problems.append(error)
        }
    }

    private static func vectorFiles(below folder: String) -> [String] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return names.sorted().filter { $0.hasSuffix(".json") && !$0.hasSuffix(".schema.json") }.map {
            folder + "/" + $0
        }
    }

    private static func sharedIDs(of files: [VectorFile]) -> [VectorProblem] {
        var owners: [ByteKey: String] = [:]
        var problems: [VectorProblem] = []
        for file in files {
            for vectorCase in file.cases {
                if let owner = owners[ByteKey(vectorCase.id)] {
                    problems.append(
                        VectorProblem(
                            file: file.path, caseID: vectorCase.id, key: "id", message: "is taken by a case of \(owner)"
                        ))
                }
                owners[ByteKey(vectorCase.id)] = file.path
            }
        }
        return problems
    }

    /// The name comes from another program, so it must not contain a path.
    private static func isFileName(_ name: String) -> Bool {
        !name.isEmpty && !name.utf8.contains { [0, UInt8(ascii: "/"), UInt8(ascii: "\\")].contains($0) }
    }
}
