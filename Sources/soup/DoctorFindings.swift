import Benchmarking
import SQLiteAccess
import SoupBenchmarks
import Soups

/// The table of `soup doctor`: what it found, with remarks, and whether the machine is fit to measure.
struct DoctorFindings {
    private var table = TextTable([("what", .left), ("found", .left), ("remark", .left)])
    /// Whether nothing that is measured here would mean anything.
    private(set) var isUnfit = false

    var text: String { table.text }

    private mutating func add(_ what: String, _ found: String, _ remark: String = "", unfit: Bool = false) {
        table.add([what, found, remark])
        if unfit {
            isUnfit = true
        }
    }

    /// Adds the hardware and the system.
    mutating func add(_ machine: Machine) {
        add(
            "processor", "\(machine.processor), \(machine.cores) cores",
            machine.flags.contains("aes")
                ? machine.flags.joined(separator: " ") : "no AES instructions: encryption will be slow")
        add("memory", "\(machine.memoryGiB) GiB")
        add("kernel", machine.kernel)
        add(
            "virtual machine", machine.virtualisation,
            machine.virtualisation == "none" ? "" : "others may take the processor: believe ratios, not times")
        add(
            "frequency governor", machine.governor,
            machine.governor == "powersave" ? "the clock changes under load: set it to performance" : "")
        add("clock source", machine.clockSource)
    }

    /// Adds what other programs and the host take of the processor.
    mutating func add(_ load: Load, cores: Int) {
        let average = load.average ?? 0
        add(
            "load", Figures.fixed(average, 2),
            average > Double(cores) / 2 ? "other programs are running: wait, or expect wide intervals" : "")
        add(
            "stolen time", load.stealTicks.map { "\($0) ticks since start" } ?? "unknown",
            (load.stealTicks ?? 0) > 0 ? "the host is shared" : "")
        add("hardware counters", "not used", "counters come from SQLite, are exact and the same everywhere")
    }

    /// Adds the disk of the data folder.
    mutating func add(_ disk: DataDisk, folder: String) {
        add(
            "data folder", "\(folder) on \(disk.type), \(Figures.bytes(Double(disk.freeBytes))) free",
            disk.isInMemory ? "in memory: commits cost nothing; name another with --data-dir" : "",
            unfit: disk.isInMemory)
    }

    /// Adds the build of this program and the libraries that it finds.
    mutating func add(_ libraries: Libraries) {
        add(
            "build", Build.isOptimised ? "release" : "debug",
            Build.isOptimised ? "" : "only a release build's figures mean anything", unfit: !Build.isOptimised)
        add(
            "SQLite", libraries.plain?.version ?? "missing",
            libraries.plain.map { "\($0.source)" } ?? "install libsqlite3, or name it in SOUP_SQLITE",
            unfit: libraries.plain == nil)
        add(
            "SQLCipher", libraries.cipher?.capabilities.cipherVersion ?? "missing",
            libraries.cipher.map { "\($0.source)" } ?? "run ci/setup; without it only plain SQLite is measured")
    }

    /// Adds the name under which reports of such machines are compared.
    mutating func add(fingerprint: String) {
        add("fingerprint", fingerprint, "reports of the same fingerprint are compared in full")
    }
}
