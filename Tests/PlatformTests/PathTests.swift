import FoundationEssentials
import Libc
import Platform
import TestSupport
import Testing

@Suite struct PathTests {
    @Test(arguments: [("/a/b", "/a"), ("/a", "/"), ("/", "/"), ("a", "."), ("a/b", "a"), ("", "."), ("a/", "a")])
    func `the folder of a path`(_ path: String, _ expected: String) { #expect(Path.folder(of: path) == expected) }

    @Test
    func `the real path has no links; one that leads in a circle, or nowhere, is an error`() throws {
        let folder = try TemporaryFolder()
        let base = try Path.real(folder.path)
        try Folder.make(folder.file("a"))
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "a")
        try manager.createSymbolicLink(atPath: folder.file("circle"), withDestinationPath: "circle")
        #expect(try Path.real(folder.file("link/../link")) == base + "/a")
        #expect(throws: SystemError("find a file", ELOOP)) { try Path.real(folder.file("circle")) }
        #expect(throws: SystemError("find a file", ENOENT)) { try Path.real(folder.file("none")) }
        #expect(try Path.target(ofLink: folder.file("link")) == "a")
        #expect(try Path.target(ofLink: folder.file("a")) == nil)
    }

    @Test
    func `a name that is not UTF-8 is an error, and no other name`() throws {
        let folder = try TemporaryFolder()
        let name: [CChar] = [CChar(bitPattern: 0xFF), 0]
        #expect(symlink(name, folder.file("link")) == 0)
        let error = #expect(throws: SystemError.self) { try Path.target(ofLink: folder.file("link")) }
        #expect(error?.isNotText == true)
    }
}
