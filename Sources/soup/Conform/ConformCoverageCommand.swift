import ArgumentParser
import Benchmarking
import Conformance
import Soups

/// `soup conform coverage`: what no vector covers.
struct ConformCoverageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coverage",
        abstract: "Says what has no positive or no negative vector.",
        discussion: """
            Reads requirements.csv and the table of error codes of FORMAT.md in the folder. A positive vector checks a result, a negative one an \
            error; an error code needs a negative one only. A requirement with a reason needs neither.

            Examples:
              soup conform coverage Corpora
              soup conform coverage Corpora --all --format markdown

            \(
                ExitStatus.help(
                    success: "every requirement of level core is covered or has a reason", failure: "one is not",
                    usage: "broken vector files"))
            """)

    @Argument(help: "The folder of the vectors.") var folder: String

    @Flag(help: "Print what is covered too.")
    var all = false

    @Option(help: RunFormat.help, transform: RunFormat.option)
    var format: RunFormat = .text

    func validate() throws {
        guard format != .junit else {
            throw ValidationError("coverage has no form for JUnit")
        }
    }

    func run() throws {
        let coverage: VectorCoverage
        do {
            let table = folder + "/requirements.csv"
            coverage = VectorCoverage(
                files: try VectorFolder(paths: [folder]).files,
                requirements: try Requirement.table(csv: FileBytes.all(of: table), file: table),
                codes: Self.codes(try FileBytes.all(of: folder + "/FORMAT.md")))
        } catch let broken as BrokenVectors {
            throw ExitStatus.refuse(broken.description)
        } catch let problem as VectorProblem {
            throw ExitStatus.refuse(problem.description)
        } catch {
            throw ExitStatus.refuse("cannot read requirements.csv and FORMAT.md in \(folder)")
        }
        let rows = coverage.items.filter { all || $0.isMissing }.map { item in
            [
                item.kind, item.name, item.level.rawValue, item.isAnError ? "-" : String(item.positive),
                String(item.negative), item.reason,
            ]
        }
        let table = ConformTable(header: ["kind", "name", "level", "positive", "negative", "reason"], rows: rows)
        print(table.make(format), terminator: "")
        if format == .text {
            for line in Self.summary(of: coverage.items) {
                print(line)
            }
        }
        if coverage.items.contains(where: { $0.kind == "requirement" && $0.level == .core && $0.isMissing }) {
            throw ExitStatus.failure.code
        }
    }

    private static func summary(of items: [VectorCoverage.Item]) -> [String] {
        var kinds: [String] = []
        for item in items where !kinds.contains(item.kind) {
            kinds.append(item.kind)
        }
        return kinds.map { kind in
            let own = items.filter { $0.kind == kind }
            return "\(kind): \(own.filter { !$0.isMissing }.count) of \(own.count) covered or with a reason"
        }
    }

    /// The codes in the table of error codes.
    private static func codes(_ document: [UInt8]) -> [String] {
        let lines = String(decoding: document, as: UTF8.self).split(separator: "\n")
        let section = lines.drop { $0 != "## Error codes" }.dropFirst().prefix { !$0.hasPrefix("## ") }
        return section.filter { $0.hasPrefix("| `") }.compactMap { line in
            line.split(separator: "`").dropFirst().first.map(String.init)
        }
    }
}
