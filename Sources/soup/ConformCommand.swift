import ArgumentParser
import Conformance
import FoundationEssentials
import SQLiteAccess

/// `soup conform`: runs conformance vectors on the back ends of this package, or on another program.
struct ConformCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conform",
        abstract: "Runs conformance vectors on back ends and says which cases pass.",
        discussion: """
            Runs every case of the files and folders given on each back end, from an empty root folder each time, and prints a line per area and \
            back end. A folder that holds expected-failures/NAME.csv (id,code,reason) has the failures listed there expected on the back end NAME, \
            and is red when one of them passes or does not run.

            The stores are in a temporary folder, which is removed at the end and when the command is interrupted. What a killed command left is \
            removed by the next one, which says so.

            Examples:
              soup conform Corpora
              soup conform --backend plain --backend cipher-off --report out Corpora/store
              soup conform --driver 'python3 ci/peers/sqlite_driver.py' Corpora

            \(ExitStatus.help(success: "nothing is red", failure: "something is red", usage: "broken vector files", interrupted: true))
            """)

    @Option(help: "A back end: plain, cipher-off or cipher. May be given several times. (default: plain and cipher)")
    var backend: [String] = []

    @Option(
        help: ArgumentHelp("Write conformance.csv, a row per case and back end, into this folder.", valueName: "dir"))
    var report: String?

    @Option(
        help: ArgumentHelp(
            "Run the vectors against this command, which speaks the JSON lines of 'soup serve', instead of back ends.",
            valueName: "cmd"))
    var driver: String?

    @Option(help: ArgumentHelp("Read the lists of expected failures from this folder.", valueName: "dir"))
    var expectedFailures: String?

    @Argument(help: "Vector files, or folders of them.")
    var path: [String]

    func validate() throws {
        guard driver == nil || backend.isEmpty else {
            throw ValidationError("--driver and --backend exclude each other")
        }
        for name in backend where BackEnd(rawValue: name) == nil {
            throw ValidationError(
                "unknown back end \(name); use one of \(BackEnd.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard Set(backend).count == backend.count else {
            throw ValidationError("a back end is named twice")
        }
    }

    func run() throws {
        TemporaryStores.watch(command: "conform")
        let folder: VectorFolder
        let run: ConformanceRun
        do {
            folder = try VectorFolder(paths: path, expectedFailures: expectedFailures)
            run = ConformanceRun(files: folder.files)
        } catch {
            throw ExitStatus.refuse(error.description)
        }
        let progress = ConformProgress(total: run.caseCount)
        run.progress = { progress.step($0) }
        for arm in try arms() {
            let expected: ExpectedFailures
            do { expected = try folder.expectedFailures(backEnd: arm.arm.name) } catch {
                throw ExitStatus.refuse(error.description)
            }
            progress.begin(arm.arm.name)
            run.run(on: arm.arm, expected: expected, isRequired: arm.isRequired)
        }
        try finish(ConformanceReport(run.results))
    }

    private func arms() throws -> [(arm: ConformanceRun.Arm, isRequired: Bool)] {
        if let driver {
            do { return [(try DriverBackEnd.arm(command: driver), true)] } catch {
                throw ExitStatus.refuse("the driver does not answer: \(error.reason)")
            }
        }
        // A back end that is named must be available; one of the default may be missing, which is reported.
        let names = backend.isEmpty ? [BackEnd.plain, .cipher] : backend.compactMap(BackEnd.init(rawValue:))
        let environment = ProcessInfo.processInfo.environment
        let cipherMayBeMissing = environment["CI"] != "true" || environment["SOUP_WITHOUT_CIPHER"] == "1"
        return names.map { (ConformanceRun.Arm(store: $0), !backend.isEmpty || $0 == .plain || !cipherMayBeMissing) }
    }

    private func finish(_ report: ConformanceReport) throws {
        if let folder = self.report {
            do {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try Data(report.csv.utf8).write(to: URL(filePath: folder + "/conformance.csv"))
            } catch {
                throw ExitStatus.refuse("cannot write \(folder)/conformance.csv")
            }
        }
        for line in report.summaryLines {
            print(line)
        }
        var backends: [String] = []
        for result in report.results where !backends.contains(result.backEnd) {
            backends.append(result.backEnd)
        }
        for name in backends {
            print(report.totalLine(backEnd: name))
        }
        for line in report.skipLines {
            print(line)
        }
        for line in report.redLines {
            print(line)
        }
        if report.isRed {
            throw ExitStatus.failure.code
        }
    }
}
