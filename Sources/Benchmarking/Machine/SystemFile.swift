import Platform

/// Reads the small text files in which Linux describes itself. If such a file is missing (macOS, a container that hides
/// it), the answer is nil, never a guess.
enum SystemFile {
    /// The whole text, at most 1 MB; nil if it cannot be read.
    static func text(_ path: String) -> String? {
        guard let bytes = try? File.read(path, limit: 1 << 20), !bytes.isEmpty else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func lines(_ path: String) -> [Substring] { text(path)?.split(whereSeparator: \.isNewline) ?? [] }

    /// A text of one line, without its end.
    static func line(_ path: String) -> String? { lines(path).first.map(String.init) }

    /// The value after the first `name :` of a file like /proc/cpuinfo.
    static func field(_ name: String, in path: String) -> String? {
        for line in lines(path) {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, trimmed(parts[0]) == name {
                return trimmed(parts[1])
            }
        }
        return nil
    }

    static func trimmed(_ text: some StringProtocol) -> String {
        var text = Substring(text)
        while text.first?.isWhitespace == true {
            text.removeFirst()
        }
        while text.last?.isWhitespace == true {
            text.removeLast()
        }
        return String(text)
    }
}
