import FoundationEssentials
import Libc
import Platform
import TestSupport
import Testing

@Suite struct FileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test
    func `a file that is replaced has the new content, is its owner's alone, and leaves no temporary file`() throws {
        let path = folder.file("a")
        try File.replace(path, with: [1, 2, 3])
        try File.replace(path, with: [4])
        #expect(try File.read(path) == [4])
        #expect(Folder.names(in: folder.path) == ["a"])
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test
    func `what cannot be replaced stays as it is, and the error says what was tried and why`() throws {
        let error = #expect(throws: SystemError.self) { try File.replace(folder.file("none/a"), with: [1]) }
        #expect(error?.isMissing == true)
        #expect(error?.description == "cannot create a file: No such file or directory")
        // A folder has the name: the content is written, and cannot be named.
        let path = folder.file("folder")
        try Folder.make(path)
        #expect(throws: SystemError.self) { try File.replace(path, with: [1]) }
        #expect(FileStatus(of: path)?.kind == .folder)
    }

    @Test
    func `a file is created only where nothing has its name`() throws {
        let path = folder.file("a")
        try File.create(path, [7])
        #expect(throws: SystemError.self) { try File.create(path, [8]) }
        #expect(try File.read(path) == [7])
    }

    @Test
    func `reading gives the content, its beginning, or nil where there is no file`() throws {
        let path = folder.file("a")
        let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try File.create(path, content)
        #expect(try File.read(path) == content)
        #expect(try File.read(path, limit: 70_000) == Array(content.prefix(70_000)))
        #expect(try File.prefix(of: path, count: 5) == Array(content.prefix(5)))
        #expect(try File.prefix(of: path, count: 300_000) == content, "a short file gives what it has")
        #expect(try File.read(folder.file("none")) == nil)
        #expect(throws: SystemError.self) { try File.read(folder.path) }
    }

    #if os(Linux)
    @Test
    func `a file of the kernel, which has no size, is read to its end`() throws {
        let text = String(decoding: try #require(try File.read("/proc/self/status")), as: UTF8.self)
        #expect(text.contains("Pid:\t\(CurrentProcess.id)\n"))
        #expect(try File.read("/proc/self/status", limit: 6)?.count == 6)
        #expect(File.size("/proc/self/status") == 0)
    }

    @Test
    func `a full disk is an error that says so`() {
        let error = #expect(throws: SystemError.self) { try OpenFile("/dev/full", .appending).append([1]) }
        #expect(error?.isDiskFull == true)
    }
    #endif

    @Test
    func `appending writes to the end, also after another writer`() throws {
        let path = folder.file("a")
        try File.create(path, [1])
        let file = try OpenFile(path, .appending)
        try file.append([2, 3])
        try OpenFile(path, .appending).append([4])
        try file.append([5])
        #expect(try File.read(path) == [1, 2, 3, 4, 5])
        #expect(throws: SystemError.self) { try OpenFile(folder.file("none"), .appending) }
    }

    @Test
    func `a writer of many small pieces writes all of them`() throws {
        let path = folder.file("a")
        let file = try FileWriter(path)
        let line = Array("a line of text\n".utf8)
        for _ in 0..<100_000 {
            try file.write(line)
        }
        try file.finish()
        #expect(File.size(path) == Int64(line.count * 100_000))
        #expect(try File.prefix(of: path, count: line.count) == line)
    }

    @Test
    func `a closed file cannot be used, and closing twice closes no other file`() throws {
        let path = folder.file("a")
        try File.create(path, [1])
        let file = try OpenFile(path)
        file.close()
        #expect(throws: SystemError.self) { try file.read(atMost: 1) }
        // Most likely this one has the number now.
        let other = try OpenFile(path)
        file.close()
        #expect(try other.read(atMost: 1) == [1])
    }

    @Test
    func `a link and what it leads to are told apart`() throws {
        let path = folder.file("a")
        try File.create(path, [1, 2])
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: path)
        let status = try #require(FileStatus(of: folder.file("link")))
        #expect(status == FileStatus(of: path) && status.kind == .file && status.size == 2)
        #expect(FileStatus(ofLink: folder.file("link"))?.kind == .link)
        #expect(FileStatus(of: folder.file("none")) == nil)
    }
}
