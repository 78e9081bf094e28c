import Platform
import Soups
import TestSupport
import Testing

@testable import SQLiteAccess

/// Which files this process knows that it has open, where the system gives the number of a removed file to another one.
@Suite struct OpenFilesTests {
    private let folder: TemporaryFolder
    private let library: SQLiteLibrary

    init() throws {
        folder = try TemporaryFolder()
        library = try SQLiteLibrary.find(.plain)
    }

    private func read(_ path: String) throws(Fault) -> FileIdentity {
        try OpenFiles.shared.enter(path, library: library, create: false, readsOnly: true) { status in
            FrozenFiles(path: path, status: status)
        }.identity
    }

    private func write(_ path: String) throws(Fault) -> FileIdentity {
        try OpenFiles.shared.enter(path, library: library, create: false, readsOnly: false) { _ in nil }.identity
    }

    @Test func aFileWithTheNumberOfARemovedOneIsAnotherFile() throws {
        let removed = folder.file("removed.db")
        try File.replace(removed, with: [1])
        let former = try read(removed)
        File.remove(removed)
        // File systems give a free number again at once, or after a while.
        var files = (0..<200).map { folder.file("new-\($0).db") }
        for path in files {
            try File.replace(path, with: [1, 2])
        }
        files = files.filter { FileStatus(of: $0)?.identity == former }
        guard let path = files.first else {
            print("the file system gave the number of a removed file to none of 200 files")
            return
        }
        let identity = try write(path)
        #expect(identity == former)
        // The reader that found no file leaves; the writer is still there.
        OpenFiles.shared.leave(former, path: removed)
        #expect(OpenFiles.shared.contains(path))
        OpenFiles.shared.leave(identity, path: path)
        #expect(!OpenFiles.shared.contains(path))
    }

    @Test func aFileThatIsReadIsTheSameUnderAnotherName() throws {
        let path = folder.file("read.db")
        let renamed = folder.file("renamed.db")
        try File.replace(path, with: [1])
        let identity = try read(path)
        try File.rename(path, to: renamed)
        #expect(throws: Fault.self) { try write(renamed) }
        OpenFiles.shared.leave(identity, path: path)
        #expect(!OpenFiles.shared.contains(renamed))
    }
}
