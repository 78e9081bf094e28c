import FoundationEssentials
import Testing

/// Holds the version of the vectors to its changelog.
@Suite struct VersionTests {
    private func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: Corpora.folder + "/" + name)), as: UTF8.self)
    }

    @Test func `version is that of the newest entry`() throws {
        let version = try text(of: "VERSION").split(separator: "\n")
        try #require(version.count == 1)
        #expect(version[0].wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
        let newest = try text(of: "CHANGELOG.md").split(separator: "\n").first { $0.hasPrefix("## ") }
        #expect(newest.map { $0.dropFirst(3) } == version[0])
    }
}
