import ArgumentParser
import Benchmarking
import SQLiteAccess
import SoupBenchmarks
import Soups

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `soup doctor`: finds what disturbs measuring on this machine, and how small a change can be seen here.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Looks for what disturbs measuring here, and says how small a change can be seen.",
        discussion: """
            Examples:
              soup doctor
              soup doctor --data-dir /mnt/disk

            \(
                ExitStatus.help(
                    success: "this machine is fit to measure", usage: "a data folder that cannot be used",
                    notValid: "it is not fit (no library, data in memory, a debug build)", interrupted: true))
            """)

    @Option(help: "The folder whose disk would be measured.")
    var dataDir = DoctorCommand.defaultFolder

    private static let defaultFolder = "runs"

    func run() throws {
        // The default folder is made when it is missing, as by soup bench; a folder with another name must be there.
        guard dataDir == Self.defaultFolder || Folders.exists(dataDir) else {
            throw ExitStatus.refuse("there is no folder \(dataDir); make it first, or name another with --data-dir")
        }
        let machine = Machine.current()
        let disk = DataDisk.below(dataDir)
        let libraries = Libraries.find()
        var findings = DoctorFindings()
        findings.add(machine)
        findings.add(Load.current(), cores: machine.cores)
        findings.add(disk, folder: dataDir)
        findings.add(libraries)
        findings.add(fingerprint: Fingerprint.of(machine, disk, libraries: libraries.identity))
        print(findings.text)
        for library in [libraries.plain, libraries.cipher].compactMap({ $0 }) {
            describe(library)
        }

        guard libraries.plain != nil else {
            throw ExitStatus.notValid.code
        }
        try printNoise(in: dataDir + "/doctor-\(ProcessInfo.processInfo.processIdentifier)")
        if findings.isUnfit {
            throw ExitStatus.notValid.code
        }
    }

    /// Prints how much the same work differs from itself here.
    private func printNoise(in folder: String) throws {
        var noise = TextTable([
            ("the same work twice", .left), ("pairs", .right), ("ratio known to", .right),
            ("smallest change seen", .right),
        ])
        for one in try estimates(in: folder) {
            noise.add([
                one.what, String(one.pairs), "+-\(Figures.fixed(one.halfWidth * 100, 1)) %",
                "+\(Figures.fixed(one.smallestVisible * 100, 0)) %",
            ])
        }
        print(noise.text, terminator: "")
    }

    private func describe(_ library: SQLiteLibrary) {
        let name = library.flavour == .cipher ? "SQLCipher" : "SQLite"
        let options = library.compileOptions.joined(separator: " ")
        print("\(name): SQLite \(library.version), \(library.source), built with \(options)")
        let answers = library.cipherAnswers()
        if !answers.isEmpty {
            print("\(name): " + answers.map { "\($0.setting) \($0.answer)" }.joined(separator: ", "))
        }
    }

    private func estimates(in folder: String) throws -> [NoiseEstimate] {
        Interruption.watch()
        for left in LeftOverData.remove(nextTo: folder) {
            StandardError.say("doctor: " + left.text)
        }
        do {
            return try NoiseEstimate.measure(SoupCells().noiseCells, dataFolder: folder)
        } catch let fault as Fault {
            throw Interruption.isRequested ? ExitStatus.interrupted.code : ExitStatus.refuse(fault.description)
        }
    }
}
