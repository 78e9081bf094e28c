import FoundationEssentials
import TestSupport
import Testing

@Suite struct ReadmeTextTests {
    @Test func `the readme shows the snippet that is tested`() throws {
        func lines(_ path: String) throws -> [String] {
            try String(contentsOf: URL(filePath: TestData.packageRoot + path), encoding: .utf8).split(separator: "\n")
                .map(String.init)
        }
        let snippet = try lines("/README.md").drop { $0 != "```swift" }.dropFirst().prefix { $0 != "```" }
        let code = snippet.filter { !$0.hasPrefix("//") && !$0.hasPrefix("import ") }.map { $0.drop { $0 == " " } }
        let tested = try lines("/Tests/OfflineCoreTests/ReadmeSnippetTests.swift").map { $0.drop { $0 == " " } }
        #expect(code.count == 8)
        for line in code {
            #expect(tested.contains { $0.utf8.elementsEqual(line.utf8) }, "not tested: \(line)")
        }
    }
}
