/// Converts names between `firstName` and `first_name`, as the coders of Foundation do.
enum SnakeCase {
    /// A run of upper-case letters is one word, without its last letter if a lower-case one follows: `myURLPath` is
    /// `my_url_path`.
    static func written(_ name: String) -> String {
        let letters = Array(name)
        guard letters.count > 1 else { return name.lowercased() }
        var words: [ArraySlice<Character>] = []
        var start = 0
        var next = 1
        while let upper = letters[next...].firstIndex(where: \.isUppercase) {
            words.append(letters[start..<upper])
            start = upper
            guard let lower = letters[upper...].firstIndex(where: \.isLowercase) else { break }
            if lower > upper + 1 {
                words.append(letters[upper..<(lower - 1)])
                start = lower - 1
            }
            next = lower + 1
        }
        words.append(letters[start...])
        return words.map { String($0).lowercased() }.joined(separator: "_")
    }

    /// Underscores at the beginning and the end stay.
    static func read(_ name: String) -> String {
        guard let first = name.firstIndex(where: { $0 != "_" }), let last = name.lastIndex(where: { $0 != "_" }) else {
            return name
        }
        let words = name[first...last].split(separator: "_")
        guard words.count > 1 else { return name }
        let joined = words[0].lowercased() + words.dropFirst().map { $0.capitalizedWord }.joined()
        return name[..<first] + joined + name[name.index(after: last)...]
    }
}

extension Substring {
    fileprivate var capitalizedWord: String { prefix(1).uppercased() + dropFirst().lowercased() }
}
