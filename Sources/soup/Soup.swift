import ArgumentParser
import Platform
import Soups

/// The command line of the offline core; each top-level command is a file of its own.
@main
struct Soup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soup",
        abstract: """
            Measures, checks and inspects stores of JSON documents on plain SQLite and on SQLCipher, and keeps them in \
            step with services.
            """,
        discussion: """
            soup --version prints the commit of this program, and the libraries that it finds.

            Begin with:
              soup inspect app.db                 what is in a store
              soup conform Corpora                does an implementation pass the vectors?
              soup bench --profile smoke          what does encryption cost? half a minute, without intervals
            """,
        subcommands: [
            BenchCommand.self, BenchWorkerCommand.self, CheckCommand.self, ClaimsCommand.self, CompareCommand.self,
            CountWorkerCommand.self, DoctorCommand.self, ListCommand.self, MergeCommand.self, PlanCommand.self,
            ReportCommand.self,
            ConformCommand.self, ServeCommand.self, MockCommand.self, TuneCommand.self, ODataCommand.self,
            SOQLCommand.self, SyncCommand.self, InspectCommand.self,
        ])

    /// Runs the command. Usage errors and faults end with `ExitStatus.usageError` instead of the parser's own 64 and 1,
    /// because 1 is a finding.
    static func main() async {
        StandardDescriptors.claim()
        // A flag of the root command would take `--version` away from commands that have an option of this name.
        if CommandLine.arguments.dropFirst().elementsEqual(["--version"]) {
            print(ProgramVersion.text)
            return
        }
        do {
            if let advice = CommandName.advice(CommandLine.arguments.dropFirst()) {
                throw ExitStatus.refuse(advice)
            }
            if let missing = NamedLibraries.fault(of: CommandLine.arguments.dropFirst()) {
                throw ExitStatus.refuse(missing)
            }
            if let refusal = InspectCommand.refusal(of: CommandLine.arguments.dropFirst()) {
                throw ExitStatus.refuse(refusal)
            }
            var command = try parseAsRoot()
            do {
                // Not in a function of its own: a call of one would move even a command that does not wait to another
                // thread, and Valgrind, which counts its instructions, cannot run a main thread that waits for others.
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
            } catch let refusal as ValidationError {
                // The parser would add the usage of the root command.
                throw ExitStatus.refuse(refusal.message)
            }
        } catch {
            guard exitCode(for: error) == .validationFailure || error is Fault else {
                exit(withError: error)
            }
            StandardError.say(fullMessage(for: error))
            CurrentProcess.exit(ExitStatus.usageError.rawValue)
        }
    }
}
