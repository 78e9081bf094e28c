import FoundationEssentials
import TestSupport
import Testing

@Suite struct ReadmeTextTests {
    private func lines(_ path: String) throws -> [String] {
        try String(contentsOf: URL(filePath: TestData.packageRoot + path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func `the readme shows the program that is tested, and what it prints`() throws {
        let readme = try lines("/README.md")
        let snippet = readme.drop { $0 != "```swift" }.dropFirst().prefix { $0 != "```" }
        let notInTest = ["//", "import ", "let path", "@main", "struct App", "static func main"]
        let code = snippet.map { $0.drop { $0 == " " } }.filter { line in
            !line.isEmpty && !notInTest.contains(where: line.hasPrefix)
        }
        let tested = try lines("/Tests/OfflineCoreTests/ReadmeSnippetTests.swift").map { $0.drop { $0 == " " } }
        #expect(code.count == 18)
        for line in code {
            #expect(tested.contains { $0.utf8.elementsEqual(line.utf8) }, "not tested: \(line)")
        }
        #expect(readme.contains(#"    ["Ada"]"#) && readme.contains(#"    ["Ada", "Grace"]"#))
    }

    /// Apps, stores of others, and a choice: in this order, before costs, commands and limits.
    @Test func `the readme begins with what it is, where it runs, and three times five minutes`() throws {
        let sections = try lines("/README.md").filter { $0.hasPrefix("## ") }
        #expect(
            sections == [
                "## Platforms", "## Install", "## Five minutes: I write an app", "## Five minutes: I implement a store",
                "## Five minutes: I choose", "## What encryption costs", "## Commands", "## Limits",
            ])
    }
}
