/// Selects names: those that contain one of the texts, or match it as a regular expression.
struct NameFilter: Sendable {
    private let texts: [String]

    init(_ texts: [String]) { self.texts = texts }

    /// Without texts every name matches. A text that is not a regular expression is only searched for.
    func matches(_ name: String) -> Bool {
        texts.isEmpty
            || texts.contains { text in
                name.utf8Contains(text) || (try? Regex(text)).map { name.contains($0) } ?? false
            }
    }
}
