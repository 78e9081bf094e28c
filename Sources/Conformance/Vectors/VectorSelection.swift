/// Which cases of vector files are wanted: by name and by level.
public struct VectorSelection {
    private let texts: [String]
    private let patterns: [Regex<AnyRegexOutput>]
    private let level: ConformanceLevel?

    /// Selects the cases whose id, area or requirement holds one of the texts or matches it as a regular expression, up
    /// to a level. Without texts and level, all cases.
    public init(texts: [String] = [], level: ConformanceLevel? = nil) {
        self.texts = texts
        patterns = texts.compactMap { try? Regex($0) }
        self.level = level
    }

    /// Whether it leaves out nothing.
    public var isWhole: Bool { texts.isEmpty && level == nil }

    /// The files with only the cases that are wanted; files without any are left out.
    public func applied(to files: [VectorFile]) -> [VectorFile] {
        files.compactMap { file in
            let cases = file.cases.filter { contains($0, area: file.area) }
            guard !cases.isEmpty else { return nil }
            return VectorFile(
                path: file.path, area: file.area, about: file.about, fixtures: file.fixtures, cases: cases)
        }
    }

    private func contains(_ vectorCase: VectorCase, area: String) -> Bool {
        guard level.map({ vectorCase.level <= $0 }) ?? true else {
            return false
        }
        return texts.isEmpty || ([vectorCase.id, area] + vectorCase.requirements).contains(where: isNamed)
    }

    private func isNamed(_ name: String) -> Bool {
        texts.contains { name.contains($0) } || patterns.contains { name.contains($0) }
    }
}
