import FoundationEssentials
import Platform
import Soups
import Synchronization
import TestSupport
import Testing

@testable import SQLiteAccess

/// What this process knows about the files that it has open, with several threads and with names that change.
@Suite struct OpenFilesTests {
    private let folder: TemporaryFolder
    private let library: SQLiteLibrary
    private let files = OpenFiles()

    init() throws {
        folder = try TemporaryFolder()
        library = try SQLiteLibrary.find(.plain)
    }

    private func file(_ name: String) throws -> String {
        let path = folder.file(name)
        try File.replace(path, with: [1])
        return path
    }

    private func read(_ path: String) throws(Fault) -> FileIdentity {
        try files.enter(path, library: library, create: false, readsOnly: true) { status in
            FrozenFiles(path: path, status: status)
        }.identity
    }

    /// Registers a connection that writes. Returns also whether it was the first, so that the file was examined.
    private func write(
        _ path: String, examining: () throws(Fault) -> Void = {}
    ) throws(Fault) -> (identity: FileIdentity, isFirst: Bool) {
        var isFirst = false
        let entrance = try files.enter(path, library: library, create: false, readsOnly: false) { _ throws(Fault) in
            isFirst = true
            try examining()
            return nil
        }
        return (entrance.identity, isFirst)
    }

    // MARK: - Files that were removed or renamed

    @Test func `a file with the number of a removed one is another file`() throws {
        let removed = try file("removed.db")
        let former = try read(removed)
        File.remove(removed)
        // File systems give a free number again at once, or after a while.
        var paths = (0..<200).map { folder.file("new-\($0).db") }
        for path in paths {
            try File.replace(path, with: [1, 2])
        }
        paths = paths.filter { FileStatus(of: $0)?.identity == former }
        guard let path = paths.first else {
            print("the file system gave the number of a removed file to none of 200 files")
            return
        }
        let identity = try write(path).identity
        #expect(identity == former)
        // The reader that found no file gives up; the writer is still there.
        files.withdraw(former, path: removed)
        #expect(files.contains(path))
        files.withdraw(identity, path: path)
        #expect(!files.contains(path))
    }

    @Test func `a file that is read is the same under another name`() throws {
        let path = try file("read.db")
        let renamed = folder.file("renamed.db")
        let identity = try read(path)
        files.opened(identity)
        try File.rename(path, to: renamed)
        #expect(throws: Fault.self) { try write(renamed) }
        files.leave(identity, path: path) {}
        #expect(!files.contains(renamed))
    }

    /// SQLite would give each name a -wal of its own.
    @Test(arguments: BackEnd.allCases)
    func `a file that is written is not opened under another name`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let path = folder.file("written.db")
        let other = folder.file("other.db")
        let connection = try backEnd.connect(path)
        try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        try FileManager.default.linkItem(atPath: path, toPath: other)
        for access in [ConnectionAccess.readOnly, .readWrite, .create] {
            let fault = #expect(throws: Fault.self) { try backEnd.connect(other, access: access) }
            #expect(fault?.code == .busy)
        }
        #expect(try backEnd.connect(path).integer("SELECT a FROM t") == 1)
        try File.rename(path, to: folder.file("renamed.db"))
        let fault = #expect(throws: Fault.self) { try backEnd.connect(other) }
        #expect(fault?.code == .busy)
        connection.close()
        #expect(try backEnd.connect(other).integer("SELECT a FROM t") == 1)
    }

    /// A backup links the files of entries, so that a reading of the store and the check of the copy meet in one file.
    /// The name in the copy is gone when the backup is done.
    @Test(arguments: BackEnd.allCases)
    func `a file that is read under two names does not need the first one`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (first, second) = (folder.file("first.db"), folder.file("second.db"))
        let writer = try backEnd.connect(first, settings: ConnectionSettings(journalMode: .delete))
        try writer.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        writer.close()
        try FileManager.default.linkItem(atPath: first, toPath: second)
        let reader = try backEnd.connect(first, access: .readOnly)
        File.remove(first)
        for _ in 0..<2 {
            let other = try backEnd.connect(second, access: .readOnly)
            #expect(try other.integer("SELECT a FROM t") == 1)
            reader.close()
            #expect(try other.integer("SELECT a FROM t") == 1)
        }
    }

    /// The system gives the number of a removed file to another one when its last descriptor is closed, which is before
    /// the connection is known to be gone. A renamed file shows the same on every file system.
    @Test func `a file with the number of one that is being closed is another file`() async throws {
        let old = try file("old.db")
        let new = folder.file("new.db")
        let identity = try write(old).identity
        files.opened(identity)
        let isClosing = Signal()
        let isClosed = Atomic(false)
        let closing = OwnThread {
            files.leave(identity, path: old) {
                try? File.rename(old, to: new)
                isClosing.raise()
                // Long enough for the other to come in, if it could.
                Signal().block(for: .milliseconds(300))
                isClosed.store(true, ordering: .releasing)
            }
        }
        try await closing.reaches(isClosing)
        let isFirst = try await Threads.run { try write(new).isFirst && isClosed.load(ordering: .acquiring) }
        #expect(isFirst)
        try await closing.value()
    }

    // MARK: - Threads

    @Test func `opening one file does not wait for the examination of another`() async throws {
        let (slow, fast) = (try file("slow.db"), try file("fast.db"))
        let isExamining = Signal()
        let isFastOpen = Signal()
        let opening = OwnThread {
            var wasFastOpen = false
            _ = try write(slow) {
                isExamining.raise()
                wasFastOpen = isFastOpen.block()
            }
            return wasFastOpen
        }
        try await opening.reaches(isExamining)
        let isFirst = try await Threads.run { try files.isFree(fast) && write(fast).isFirst }
        #expect(isFirst)
        isFastOpen.raise()
        #expect(try await opening.value())
        #expect(files.contains(slow) && files.contains(fast))
    }

    /// A descriptor that is closed would take the locks of a connection that was opened before.
    @Test func `opening a file waits until its examination is over`() async throws {
        let path = try file("a.db")
        let isExamining = Signal()
        let isOver = Atomic(false)
        let first = OwnThread {
            _ = try write(path) {
                isExamining.raise()
                // Long enough for the others to come in, if they could.
                Signal().block(for: .milliseconds(300))
                isOver.store(true, ordering: .releasing)
            }
        }
        try await first.reaches(isExamining)
        let others = (0..<4).map { number in
            OwnThread { () throws -> Bool in
                let isInUse = number == 0 ? !files.isFree(path) : try !write(path).isFirst
                return isInUse && isOver.load(ordering: .acquiring)
            }
        }
        for other in others {
            #expect(try await other.value())
        }
        try await first.value()
    }

    @Test func `an examination that fails leaves the file to the next`() async throws {
        let path = try file("a.db")
        let isExamining = Signal()
        let first = OwnThread {
            _ = try write(path) { () throws(Fault) in
                isExamining.raise()
                Signal().block(for: .milliseconds(100))
                throw Fault(.notADatabase, "planted")
            }
        }
        try await first.reaches(isExamining)
        let second = OwnThread { try write(path).isFirst }
        await #expect(throws: Fault.self) { try await first.value() }
        #expect(try await second.value())
    }

    @Test(arguments: BackEnd.allCases)
    func `files that follow each other are not taken for each other`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let folder = folder
        try await Threads.run(4) { thread in
            for round in 0..<60 {
                let path = folder.file("\(thread)-\(round)")
                let writer = try backEnd.connect(path, settings: ConnectionSettings(journalMode: .delete))
                try writer.execute("CREATE TABLE t (a); INSERT INTO t VALUES (\(round))")
                writer.close()
                let reader = try backEnd.connect(path, access: .readOnly)
                #expect(try reader.integer("SELECT a FROM t") == Int64(round))
                // Its number is free from the moment that the reader's descriptor is closed.
                File.remove(path)
                reader.close()
            }
        }
    }
}
