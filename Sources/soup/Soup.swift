import ArgumentParser

/// The command line of the offline core; each command is a file of its own.
@main
struct Soup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soup",
        abstract: "Compares and checks stores of JSON documents on plain SQLite and on SQLCipher.",
        subcommands: [])
}
