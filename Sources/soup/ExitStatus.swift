import ArgumentParser
import Benchmarking

/// The exit statuses of all commands.
///
/// 0, 1, 2 and 130 mean the same for every command; the meaning of 3 to 5 is in the help of the commands that use them.
enum ExitStatus: Int32, CaseIterable {
    case success = 0
    /// What the command checked is wrong: a confirmed regression, a failing vector, a malformed payload.
    case failure = 1
    /// The command cannot be run with these arguments or files; nothing was checked.
    case usageError = 2
    /// The figures cannot be trusted.
    case notValid = 3
    /// Something could not be decided.
    case undecided = 4
    /// There is nothing to compare.
    case incomparable = 5
    /// Ctrl-C, or another request to end: 128 plus the number of SIGINT, as in shells.
    case interrupted = 130

    /// The error to throw from a command.
    var code: ExitCode { ExitCode(rawValue) }

    /// Writes what is wrong and what to do about it to standard error, and returns the code of a usage error.
    static func refuse(_ message: String) -> ExitCode {
        StandardError.say("Error: " + message)
        return usageError.code
    }
}

extension ExitStatus {
    init(_ conclusion: BenchmarkRun.Conclusion) {
        switch conclusion {
        case .measured: self = .success
        case .regression: self = .failure
        case .notValid: self = .notValid
        case .incomparable: self = .incomparable
        case .interrupted: self = .interrupted
        }
    }

    init(_ outcome: CheckOutcome) {
        switch outcome {
        case .nothingSlower: self = .success
        case .regression: self = .failure
        case .invalidRun: self = .notValid
        case .inconclusive: self = .undecided
        case .incomparable: self = .incomparable
        }
    }
}

extension ExitStatus {
    /// Returns the sentence about exit codes in a command's help.
    ///
    /// - Parameters:
    ///   - usage: What else ends with a usage error.
    ///   - failure, notValid, undecided, incomparable: The meaning of each status; nil for one that the command does
    ///     not use.
    static func help(
        success: String, failure: String? = nil, usage: String? = nil, notValid: String? = nil,
        undecided: String? = nil, incomparable: String? = nil, interrupted: Bool = false
    ) -> String {
        let meanings: KeyValuePairs<ExitStatus, String?> = [
            .success: success, .failure: failure,
            .usageError: ["usage error", usage].compactMap { $0 }.joined(separator: ", or "),
            .notValid: notValid, .undecided: undecided, .incomparable: incomparable,
            .interrupted: interrupted ? "interrupted" : nil,
        ]
        let texts = meanings.compactMap { status, meaning in meaning.map { "\(status.rawValue) \($0)" } }
        return "Exit codes: " + texts.joined(separator: "; ") + "."
    }
}
