import FoundationEssentials

/// A code example of the documentation, or its compiled copy in a test: both must have the same lines.
///
/// The documentation has an example between the fences "```swift" and "```", in a documentation comment or in an
/// article of a DocC catalogue. Its copy is between the comments `// Example: FILE` and `// End of example`.
public struct CodeExample: Hashable, Sendable, CustomStringConvertible {
    /// The file with the documentation, below the package root.
    public let file: String
    /// The lines without their common indentation.
    public let code: [String]

    public var description: String { "\(file):\n" + code.joined(separator: "\n") }

    /// The examples in the documentation comments and articles below a folder of the package.
    public static func documented(below folder: String) throws -> [CodeExample] {
        try files(below: folder, ["swift", "md"]).flatMap { file in
            let isSwift = file.hasSuffix(".swift")
            return try examples(in: file, from: { $0 == "```swift" }, to: { $0 == "```" }) { line in
                guard isSwift else { return line }
                let text = line.drop { $0 == " " }
                return text.hasPrefix("///") ? String(text.dropFirst(text.hasPrefix("/// ") ? 4 : 3)) : nil
            }.map { CodeExample(file: file, code: $0.code) }
        }
    }

    /// The copies in the test files below a folder of the package.
    public static func compiled(below folder: String) throws -> [CodeExample] {
        try files(below: folder, ["swift"]).flatMap { file in
            let isStart: (String) -> Bool = { trimmed($0).hasPrefix("// Example: ") }
            return try examples(in: file, from: isStart, to: { trimmed($0) == "// End of example" }) { $0 }
                .map { CodeExample(file: String(trimmed($0.start).dropFirst("// Example: ".count)), code: $0.code) }
        }
    }

    /// What is wrong if examples and copies are not the same: a sentence for each that has no counterpart.
    public static func differences(documented: [CodeExample], compiled: [CodeExample]) -> [String] {
        let untested = Set(documented).subtracting(compiled).map {
            "no test has the same lines as this example of the documentation: \($0)"
        }
        let undocumented = Set(compiled).subtracting(documented).map {
            "the documentation does not have the same lines as this example of a test: \($0)"
        }
        return (untested + undocumented).sorted()
    }

    private static func examples(
        in file: String, from isStart: (String) -> Bool, to isEnd: (String) -> Bool, _ content: (String) -> String?
    ) throws -> [(start: String, code: [String])] {
        var found: [(start: String, code: [String])] = []
        var current: (start: String, code: [String])?
        let text = try String(contentsOf: URL(filePath: TestData.packageRoot + "/" + file), encoding: .utf8)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard let line = content(String(line)) else { continue }
            if let example = current {
                if isEnd(line) {
                    found.append((example.start, withoutIndentation(example.code)))
                    current = nil
                } else {
                    current?.code.append(line)
                }
            } else if isStart(line) {
                current = (line, [])
            }
        }
        return found
    }

    private static func withoutIndentation(_ lines: [String]) -> [String] {
        let width = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(width)) }
    }

    private static func trimmed(_ line: String) -> Substring { line.drop { $0 == " " } }

    private static func files(below folder: String, _ extensions: Set<String>) throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: TestData.packageRoot + "/" + folder)
        return names.filter { name in extensions.contains { name.hasSuffix("." + $0) } }.sorted().map {
            folder + "/" + $0
        }
    }
}
