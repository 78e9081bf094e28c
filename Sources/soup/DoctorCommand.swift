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
        let load = Load.current()
        let libraries = Libraries.find()
        var table = TextTable([("what", .left), ("found", .left), ("remark", .left)])
        var isUnfit = false
        func row(_ what: String, _ found: String, _ remark: String = "", unfit: Bool = false) {
            table.add([what, found, remark])
            if unfit {
                isUnfit = true
            }
        }
        row(
            "processor", "\(machine.processor), \(machine.cores) cores",
            machine.flags.contains("aes")
                ? machine.flags.joined(separator: " ") : "no AES instructions: encryption will be slow")
        row("memory", "\(machine.memoryGiB) GiB")
        row("kernel", machine.kernel)
        row(
            "virtual machine", machine.virtualisation,
            machine.virtualisation == "none" ? "" : "others may take the processor: believe ratios, not times")
        row(
            "frequency governor", machine.governor,
            machine.governor == "powersave" ? "the clock changes under load: set it to performance" : "")
        row("clock source", machine.clockSource)
        let average = load.average ?? 0
        row(
            "load", Figures.fixed(average, 2),
            average > Double(machine.cores) / 2 ? "other programs are running: wait, or expect wide intervals" : "")
        row(
            "stolen time", load.stealTicks.map { "\($0) ticks since start" } ?? "unknown",
            (load.stealTicks ?? 0) > 0 ? "the host is shared" : "")
        row("hardware counters", "not used", "counters come from SQLite, are exact and the same everywhere")
        row(
            "data folder", "\(dataDir) on \(disk.type), \(Figures.bytes(Double(disk.freeBytes))) free",
            disk.isInMemory ? "in memory: commits cost nothing; name another with --data-dir" : "",
            unfit: disk.isInMemory)
        row(
            "build", Build.isOptimised ? "release" : "debug",
            Build.isOptimised ? "" : "only a release build's figures mean anything", unfit: !Build.isOptimised)
        row(
            "SQLite", libraries.plain?.version ?? "missing",
            libraries.plain.map { "\($0.source)" } ?? "install libsqlite3, or name it in SOUP_SQLITE",
            unfit: libraries.plain == nil)
        row(
            "SQLCipher", libraries.cipher?.capabilities.cipherVersion ?? "missing",
            libraries.cipher.map { "\($0.source)" } ?? "run ci/setup; without it only plain SQLite is measured")
        row(
            "fingerprint", Fingerprint.of(machine, disk, libraries: libraries.identity),
            "reports of the same fingerprint are compared in full")
        print(table.text)
        for library in [libraries.plain, libraries.cipher].compactMap({ $0 }) {
            describe(library)
        }

        guard libraries.plain != nil else {
            throw ExitStatus.notValid.code
        }
        let folder = dataDir + "/doctor-\(ProcessInfo.processInfo.processIdentifier)"
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
        if isUnfit {
            throw ExitStatus.notValid.code
        }
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
