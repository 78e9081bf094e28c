import ArgumentParser
import SoupBenchmarks
import Soups

/// Recognises misspelt names of commands.
enum CommandName {
    /// What to say of a word that should name a command and does not; `nil` if the words begin with known commands.
    static func advice(_ words: some Sequence<String>) -> String? {
        var path = ["soup"]
        var configuration = Soup.configuration
        for word in words {
            let commands = configuration.subcommands
            // A command with a default one, such as `conform`, may be followed by the arguments of that.
            guard !commands.isEmpty, configuration.defaultSubcommand == nil, !word.hasPrefix("-"),
                ByteKey(word) != ByteKey("help")
            else {
                return nil
            }
            // The name is in the configuration, or made of that of the type.
            guard let next = commands.first(where: { ByteKey($0._commandName) == ByteKey(word) }) else {
                let shown = commands.filter { $0.configuration.shouldDisplay }
                return advice(word, after: path, among: shown.map { $0._commandName })
            }
            path.append(word)
            configuration = next.configuration
        }
        return nil
    }

    private static func advice(_ word: String, after path: [String], among names: [String]) -> String {
        let command = (path.dropFirst() + [word]).joined(separator: " ")
        let nearest = names.map { (name: $0, distance: EditDistance.of(Array(word.utf8), Array($0.utf8))) }
            .min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= (nearest.name.utf8.count < 4 ? 1 : 2) else {
            return "there is no command \(command); \(path.joined(separator: " ")) --help lists all of them"
        }
        return "there is no command \(command); did you mean \(nearest.name)?"
    }
}
