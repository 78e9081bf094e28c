import Foundation
import OfflineStore
import Platform
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// A folder with a store to inspect, which must be the same afterwards.
struct InspectedFolder {
    static let marker = "marker-of-an-entry"

    let folder: TemporaryFolder
    private let outputs: TemporaryFolder
    var path: String { folder.file("store.db") }

    init() throws {
        folder = try TemporaryFolder()
        outputs = try TemporaryFolder()
    }

    /// Makes a store with 30 entries in a soup and 3 in one with external storage.
    func make(
        _ backEnd: BackEnd, key: Key? = nil, _ change: (inout StoreOptions) -> Void = { _ in }
    ) throws -> SmartStore {
        var options = StoreOptions(library: try backEnd.library(), key: key)
        change(&options)
        let store = try SmartStore(path: path, options: options)
        try store.registerSoup("people", indexSpecs: [.string("name"), .integer("age"), .fullText("note")])
        try store.registerSoup(SoupSpec(name: "scans", features: [.externalStorage]), indexSpecs: [.string("name")])
        try store.upsert((1...30).map(Self.entry), into: "people")
        try store.upsert((1...3).map(Self.entry), into: "scans")
        return store
    }

    static func entry(_ number: Int) -> [UInt8] {
        Array(#"{"name":"name \#(number)","age":\#(number % 5),"note":"\#(marker) \#(number)"}"#.utf8)
    }

    /// The names and contents of all files, read by another process: this one may have the store open, whose locks it
    /// would lose.
    func digests() throws -> String {
        try BenchProgram(folder: outputs.path).run(
            ["-c", "cd '\(folder.path)' && find . -type f | sort | xargs sha256sum"], of: "/bin/sh"
        ).output
    }

    /// Runs `soup inspect` with the store, and checks that nothing in its folder has changed.
    ///
    /// - Parameter changes: True for a store that this process has open, or for a command that writes.
    func inspect(_ arguments: [String], changes: Bool = false) throws -> BenchProgram.Ended {
        try unchanged(changes: changes) {
            try BenchProgram(folder: outputs.path).run(["inspect", path] + arguments)
        }
    }

    /// Runs a line of the shell, in which `$soup` is `soup inspect` with the store.
    func shell(_ line: String, changes: Bool = false) throws -> BenchProgram.Ended {
        try unchanged(changes: changes) {
            let soup = "soup='\(SoupProgram.path) inspect \(path)'; "
            return try BenchProgram(folder: outputs.path).run(["-c", soup + line], of: "/bin/sh")
        }
    }

    private func unchanged(changes: Bool, _ run: () throws -> BenchProgram.Ended) throws -> BenchProgram.Ended {
        guard !changes else {
            return try run()
        }
        let before = try FolderListing(folder.path)
        let ended = try run()
        let after = try FolderListing(folder.path)
        #expect(after == before, "\(Set(after.names).symmetricDifference(before.names))")
        return ended
    }

    /// A key in a file that only its owner may read, next to the outputs.
    func keyFile(_ bytes: some Sequence<UInt8>) throws -> String {
        let path = outputs.file("key")
        File.remove(path)
        try File.create(path, Array(bytes))
        return path
    }
}
