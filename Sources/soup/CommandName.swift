import ArgumentParser
import SoupBenchmarks
import Soups

/// Recognises misspelt names of commands.
enum CommandName {
    /// What to say of a first argument that is not a command; nil if it is one, or an option.
    static func advice(_ name: String) -> String? {
        let commands = Soup.configuration.subcommands.map { $0.configuration }
        guard !name.hasPrefix("-"), ByteKey(name) != ByteKey("help"),
            !commands.contains(where: { $0.commandName.map { ByteKey($0) } == ByteKey(name) })
        else {
            return nil
        }
        let names = commands.filter(\.shouldDisplay).compactMap(\.commandName)
        let nearest = names.map { (name: $0, distance: EditDistance.of(Array(name.utf8), Array($0.utf8))) }
            .min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= (nearest.name.utf8.count < 4 ? 1 : 2) else {
            return "there is no command \(name); soup --help lists all of them"
        }
        return "there is no command \(name); did you mean \(nearest.name)?"
    }
}
