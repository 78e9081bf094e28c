import FoundationEssentials
import Libc
import Platform
import TestSupport
import Testing

@Suite struct FolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func rights(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test
    func `a folder is made with those above it, for its owner only, and may be there`() throws {
        let path = folder.file("a/b/c")
        try Folder.makeAll(path)
        try Folder.makeAll(path)
        #expect(try rights(path) == 0o700 && rights(folder.file("a")) == 0o700)
        try File.create(folder.file("file"))
        #expect(throws: SystemError.self) { try Folder.makeAll(folder.file("file")) }
        #expect(throws: SystemError.self) { try Folder.makeAll(folder.file("file/a/b")) }
        #expect(throws: SystemError.self) { try Folder.makeAll("") }
        #expect(throws: SystemError.self, "alone it must not be there") { try Folder.make(path) }
    }

    @Test
    func `threads that make one folder at once all succeed`() async throws {
        let folder = folder
        for round in 0..<20 {
            try await Threads.run(4) { _ in try Folder.makeAll(folder.file("\(round)/a/b")) }
        }
    }

    @Test
    func `a tree is removed with names that are not UTF-8, and links in it are not followed`() throws {
        let tree = folder.file("tree")
        try Folder.makeAll(tree + "/a/b")
        try Folder.makeAll(folder.file("kept"))
        try File.create(folder.file("kept/file"))
        try FileManager.default.createSymbolicLink(
            atPath: tree + "/a/link", withDestinationPath: folder.file("kept"))
        let name: [CChar] = Array((tree + "/a/b/").utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0]
        let descriptor = open(name, O_CREAT | O_WRONLY, 0o600)
        #expect(descriptor >= 0)
        Libc.close(descriptor)
        Folder.removeTree(tree)
        #expect(!File.exists(tree))
        #expect(Folder.names(in: folder.file("kept")) == ["file"])

        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link"), withDestinationPath: folder.file("kept"))
        Folder.removeTree(folder.file("link"))
        Folder.removeTree(folder.file("kept/file"))
        Folder.removeTree(folder.file("none"))
        #expect(Folder.names(in: folder.path) == ["kept"])
    }

    @Test
    func `emptying removes the files and leaves the folders; only an empty folder is removed alone`() throws {
        try Folder.make(folder.file("a"))
        try File.create(folder.file("b"))
        Folder.removeIfEmpty(folder.path)
        Folder.empty(folder.path)
        #expect(Folder.names(in: folder.path) == ["a"])
        Folder.removeIfEmpty(folder.file("a"))
        #expect(Folder.names(in: folder.path) == [])
        #expect(Folder.names(in: folder.file("none")) == [])
    }

    @Test
    func `the size of a tree counts its files and no links' targets`() throws {
        try Folder.makeAll(folder.file("tree/a"))
        try File.create(folder.file("tree/one"), [1, 2, 3])
        try File.create(folder.file("tree/a/two"), [4])
        try FileManager.default.createSymbolicLink(atPath: folder.file("tree/up"), withDestinationPath: folder.path)
        let size = Folder.size(below: folder.file("tree"))
        #expect(size.files == 3)
        #expect(size.bytes == 4 + Int64(folder.path.utf8.count), "a link has the size of its text")
        #expect(Folder.size(below: folder.file("none")) == (0, 0))
    }

    @Test
    func `temporary folders have different names and are their owner's alone`() throws {
        let paths = try [Folder.makeTemporary(), Folder.makeTemporary()]
        defer {
            for path in paths {
                Folder.removeTree(path)
            }
        }
        #expect(paths[0] != paths[1])
        #expect(try rights(paths[0]) == 0o700)
    }

    @Test
    func `the way upwards begins with the working folder and ends with the root`() {
        let folders = Folder.upwards()
        #expect(folders.first == FileManager.default.currentDirectoryPath && folders.last == "/")
        for (folder, above) in zip(folders, folders.dropFirst()) {
            #expect(Path.folder(of: folder) == above)
        }
    }

    @Test
    func `the lock of a folder has one owner, until it is released or the folder is gone`() throws {
        let path = folder.file("a")
        #expect(throws: SystemError.self) { try FolderLock(path) }
        try Folder.make(path)
        var first = try FolderLock(path)
        #expect(first != nil)
        #expect(try FolderLock(path) == nil)
        first?.release()
        #expect(try FolderLock(path) != nil, "and given up at once, for it is not kept")
        first = try FolderLock(path)
        first = nil
        #expect(try FolderLock(path) != nil)
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: path)
        #expect(try FolderLock(folder.file("link")) != nil)
        #expect(throws: SystemError.self) { try FolderLock(folder.file("link"), followsLink: false) }
    }

    @Test func `a lock that is released is free although another process has its descriptor`() throws {
        let path = folder.file("a")
        try Folder.make(path)
        let lock = try #require(try FolderLock(path))
        // A duplicate shares the lock, as the descriptor of a process that was just forked does.
        let duplicate = dup(lock.descriptor)
        try #require(duplicate >= 0)
        defer { close(duplicate) }
        #expect(try FolderLock(path) == nil)
        lock.release()
        #expect(try FolderLock(path) != nil)
    }
}
