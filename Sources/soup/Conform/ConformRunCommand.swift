import ArgumentParser
import Benchmarking
import Conformance
import Platform
import SQLiteAccess

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `soup conform run`: runs vectors on the back ends of this package, or on other programs.
struct ConformRunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs vectors on back ends or other programs.",
        discussion: """
            Runs every case of the files and folders given on each back end, from an empty root folder each time, and prints a line per area and \
            back end. A folder that holds expected-failures/NAME.csv (id,code,reason) has the failures listed there expected on the back end NAME, \
            and is red when one of them passes or does not run.

            The stores are in a temporary folder, which is removed at the end and when the command is interrupted. What a killed command left is \
            removed by the next one, which says so.

            Examples:
              soup conform Corpora
              soup conform --backend plain --backend cipher-off --report out Corpora/store
              soup conform --list --level core --filter '^ent-' Corpora
              soup conform --driver 'python3 ci/peers/sqlite_driver.py' --matrix matrix.html Corpora

            \(ExitStatus.help(success: "nothing is red", failure: "something is red", usage: "broken vector files", interrupted: true))
            """)

    @OptionGroup var arms: ConformArms
    @OptionGroup var selection: ConformSelection

    @Flag(help: "Print the cases that would run, with their levels and capabilities, and run none.")
    var list = false

    @Option(help: RunFormat.help, transform: RunFormat.option)
    var format: RunFormat = .text

    @Option(
        help: ArgumentHelp("Write conformance.csv, a row per case and back end, into this folder.", valueName: "dir"))
    var report: String?

    @Option(
        help: ArgumentHelp(
            "Write a page with a row for each area and a column for each back end to this file.", valueName: "file"))
    var matrix: String?

    @Option(
        help: ArgumentHelp(
            "Write the cases that fail as a list of expected failures to this file. Reasons that are known stay, and so do listed cases that are not selected. Only for one back end.",
            valueName: "file"))
    var writeExpectedFailures: String?

    @Option(help: ArgumentHelp("Read the lists of expected failures from this folder.", valueName: "dir"))
    var expectedFailures: String?

    @Option(help: "How many cases run at the same time, each on stores of its own.")
    var jobs = 1

    func validate() throws {
        guard (1...64).contains(jobs) else {
            throw ValidationError("--jobs takes 1 to 64")
        }
        guard writeExpectedFailures == nil || arms.count == 1 else {
            throw ValidationError("--write-expected-failures needs exactly one --backend or --driver")
        }
    }

    func run() throws {
        let folder: VectorFolder
        do {
            folder = try VectorFolder(paths: selection.path, expectedFailures: expectedFailures)
        } catch {
            throw ExitStatus.refuse(error.description)
        }
        let files = selection.selection.applied(to: folder.files)
        guard !files.isEmpty else {
            throw ExitStatus.refuse("no case matches; see soup conform --list")
        }
        if list {
            return print(ConformList(files: files).make(format), terminator: "")
        }
        try finish(run(files, of: folder))
    }

    private func run(_ files: [VectorFile], of folder: VectorFolder) throws -> ConformanceReport {
        TemporaryStores.watch(command: "conform")
        let run = ConformanceRun(files: files)
        let progress = ConformProgress(total: run.caseCount)
        run.progress = { progress.step($0) }
        let wanted = Set(files.flatMap(\.cases).map(\.id))
        for group in try arms.make(jobs: jobs) {
            guard let name = group.arms.first?.name else { continue }
            let listed: ExpectedFailures
            do { listed = try folder.expectedFailures(backEnd: name) } catch {
                throw ExitStatus.refuse(error.description)
            }
            let expected = selection.selection.isWhole ? listed : listed.restricted { wanted.contains($0) }
            progress.begin(name)
            run.run(
                onEqual: group.arms, expected: expected, isRequired: group.isRequired, comparesBytes: group.isOurs)
            if let writeExpectedFailures {
                // Those of cases that were not selected stay.
                let text = listed.csv(for: run.results) { !selection.selection.isWhole && !wanted.contains($0) }
                try Self.write(text, to: writeExpectedFailures)
            }
        }
        return ConformanceReport(run.results)
    }

    private func finish(_ report: ConformanceReport) throws {
        if let folder = self.report {
            do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
                throw ExitStatus.refuse("cannot create \(folder)")
            }
            try Self.write(report.csv, to: folder + "/conformance.csv")
        }
        if let matrix {
            try Self.write(ConformMatrix(report.results).html, to: matrix)
        }
        print(ConformFormat(report).make(format), terminator: "")
        if report.isRed {
            throw ExitStatus.failure.code
        }
    }

    private static func write(_ text: String, to path: String) throws {
        do { try Data(text.utf8).write(to: URL(filePath: path)) } catch {
            throw ExitStatus.refuse("cannot write \(path)")
        }
    }
}
