import ArgumentParser
import Benchmarking
import Conformance
import Platform
import Soups

/// `soup conform compare`: what one implementation does differently from another.
struct ConformCompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Says what one run does differently from another, case by case.",
        discussion: """
            Compares the status and the code of each case in two files that 'soup conform --report' wrote. In a file of several back ends, name one \
            after a colon; without a name the first one is taken.

            Examples:
              soup conform compare old/conformance.csv new/conformance.csv
              soup conform compare out/conformance.csv:plain out/conformance.csv:my-store --format markdown

            \(ExitStatus.help(success: "no case differs", failure: "cases differ", usage: "a file that is not a report"))
            """)

    @Argument(help: "The first run: FILE or FILE:BACKEND.") var first: String
    @Argument(help: "The second run: FILE or FILE:BACKEND.") var second: String

    @Option(help: RunFormat.help, transform: RunFormat.option)
    var format: RunFormat = .text

    func validate() throws {
        guard format != .junit else {
            throw ValidationError("a comparison has no form for JUnit")
        }
    }

    func run() throws {
        let (firstName, firstResults) = try Self.results(first)
        let (secondName, secondResults) = try Self.results(second)
        let comparison = RunComparison(firstResults, secondResults)
        func verdict(_ result: CaseResult?) -> String {
            guard let result else {
                return "not run"
            }
            return result.status.rawValue + (result.code.isEmpty ? "" : " " + result.code)
        }
        let rows = comparison.rows.map { row in
            [row.id, row.area, verdict(row.first), verdict(row.second), row.second?.detail ?? ""]
        }
        let table = ConformTable(header: ["id", "area", firstName, secondName, "detail"], rows: rows)
        print(table.make(format), terminator: "")
        if format == .text || format == .markdown {
            print("\(comparison.sameCount) cases are the same, \(rows.count) differ")
        }
        if !rows.isEmpty {
            throw ExitStatus.failure.code
        }
    }

    /// The results of one back end in a file.
    private static func results(_ argument: String) throws -> (name: String, [CaseResult]) {
        let parts = Self.parts(of: argument)
        let report: ConformanceReport
        do {
            report = try ConformanceReport(csv: FileBytes.all(of: parts[0]), file: parts[0])
        } catch let problem as VectorProblem {
            throw ExitStatus.refuse(problem.description)
        } catch {
            throw ExitStatus.refuse("cannot read \(parts[0])")
        }
        let names = report.backEnds
        guard let name = parts.count == 2 ? parts[1] : names.first, names.contains(name) else {
            throw ExitStatus.refuse(
                "\(argument) names no back end of the file; it has \(names.joined(separator: ", "))")
        }
        return (name, report.results.filter { $0.backEnd == name })
    }

    /// The file, and the name after the last colon unless the file has that colon in its own name.
    private static func parts(of argument: String) -> [String] {
        guard !File.exists(argument), let colon = argument.utf8.lastIndex(of: UInt8(ascii: ":")) else {
            return [argument]
        }
        return [String(argument[..<colon]), String(argument[argument.utf8.index(after: colon)...])]
    }
}
