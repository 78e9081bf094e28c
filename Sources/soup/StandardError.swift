import Platform

/// Writes what is not the result of a command: progress, and messages about failures.
enum StandardError {
    static func say(_ line: String) { write(line + "\n") }

    /// Writes a text as it is. What cannot be written is lost: there is nowhere else to report it.
    static func write(_ text: String) { try? OpenFile.standardError.write(text.utf8) }

    static var isTerminal: Bool { OpenFile.standardError.isTerminal }
}
