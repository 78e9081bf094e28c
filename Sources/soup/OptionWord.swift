import ArgumentParser

/// Reads the value of an option that is one of some words, which its help names.
enum OptionWord {
    @Sendable static func read<Word: RawRepresentable<String>>(_ text: String) throws -> Word {
        guard let word = Word(rawValue: text) else {
            throw ValidationError("'\(text)' is not a value of this option; --help names them")
        }
        return word
    }
}
