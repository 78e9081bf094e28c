import ArgumentParser
import Benchmarking
import FoundationEssentials
import Soups
import Synchronization

/// The options that all commands which measure share, and the plan they give.
struct RunOptions: ParsableArguments {
    @Option(
        help: "How much to measure: smoke, quick or full.",
        transform: { text in
            guard let profile = Profile.Name(rawValue: text) else { throw ValidationError("--profile takes smoke, quick or full") }
            return profile
        })
    var profile: Profile.Name = .quick

    @Option(parsing: .upToNextOption, help: "Entries of the generated corpora, from 1 to 1,000,000, for example --sizes 1000 100000.")
    var sizes: [Int] = []

    @Option(help: "Measure only cells whose name, or the id of a claim, holds this text; may be given several times. The control row always runs.")
    var filter: [String] = []

    @Flag(help: "Measure the cells of claims, floors and parsers too, which the quick profile leaves to --filter and to the full profile.")
    var all = false

    @Option(help: "A file of your own documents, one JSON object a line, in place of generated ones.")
    var documents: String?

    @Option(help: "A path of the documents to index, as PATH:TYPE (string, integer, floating, json1, full_text); may be given several times.")
    var index: [String] = []

    @Option(help: "Pairs of each cell's first look, in place of the profile's. Fewer than 6 show no difference, whatever they are.")
    var pairs: Int?

    @Option(help: "The seed of everything that is drawn.")
    var seed: UInt64 = 1

    @Option(help: "The folder whose disk is measured; a folder of this run is made in it and removed again. Default: runs/.")
    var dataDir: String?

    @Flag(help: "Measure although the data folder lies in memory, where a commit costs nothing.")
    var allowTmpfs = false

    @Option(help: "The folder for the reports; it must not hold a run already. Default: a new one in runs/.")
    var output: String?

    @Option(help: "Begin nothing new after so much time, for example 90s or 20m. Rows with too few pairs are then inconclusive.")
    var timeBudget: String?

    @Option(help: "What to call the source that is measured. Default: the commit checked out here.")
    var commit: String?

    @Flag(help: "Say nothing on standard error.")
    var quiet = false

    func validate() throws {
        guard sizes.allSatisfy({ (1...1_000_000).contains($0) }) else { throw ValidationError("--sizes takes numbers from 1 to 1,000,000") }
        guard documents == nil || sizes.isEmpty else { throw ValidationError("--documents has its own size: leave --sizes out") }
        guard documents != nil || index.isEmpty else { throw ValidationError("--index belongs to --documents") }
        if let pairs { guard (1...1_000).contains(pairs) else { throw ValidationError("--pairs takes a number from 1 to 1,000") } }
        if let timeBudget, Self.seconds(timeBudget) == nil { throw ValidationError("--time-budget takes a time such as 90s or 20m") }
        do throws(Fault) { _ = try indexSpecs() } catch { throw ValidationError(error.message) }
    }

    /// Reads the documents, chooses cells, checks the disk; nothing is written yet.
    func plan(beside builds: [String] = [], filter chosen: [String]? = nil) throws -> MeasurePlan {
        let filter = chosen ?? self.filter
        let memory = ProcessMemory()
        let scope = try scope()
        let others = try builds.map { text in
            let parts = text.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, FileManager.default.isExecutableFile(atPath: String(parts[1])) else {
                throw ValidationError("--beside takes NAME=EXECUTABLE, the path of a program: \(text)")
            }
            return (name: String(parts[0]), executable: String(parts[1]))
        }
        let data = (dataDir ?? "runs") + "/data-\(ProcessInfo.processInfo.processIdentifier)"
        let disk = DataDisk.below(data)
        if disk.isInMemory, !allowTmpfs {
            throw Refusal.say("the data folder \(data) lies on \(disk.type), in memory: commits cost nothing there. Name a folder on a disk with --data-dir, or give --allow-tmpfs.")
        }
        var cells = PlannedCell.filter(CellCatalogue.cells(scope).map { PlannedCell($0, profile: scope.profile) }, filter)
        if profile != .smoke, !all, filter.isEmpty { cells = PlannedCell.ofProfile(profile, cells) }
        for other in others { cells = cells.compactMap { $0.beside(build: other.name, arms: [.plain, .cipher]) ?? ($0.cell.workload == "control" ? $0 : nil) } }
        guard cells.contains(where: { $0.cell.workload != "control" }) || filter.contains("control") else {
            throw ValidationError("no cell's name holds \(filter.joined(separator: " or "))")
        }
        if let pairs { for place in cells.indices where cells[place].cell.style != .counted { cells[place].blocks = pairs } }
        let setting = RunSetting(scope: scope, executable: Self.executable, workerArguments: [BenchWorkerCommand.name], builds: others, dataFolder: data)
        return MeasurePlan(
            setting: setting, cells: cells, folder: RunFolder(path: Self.folder(output, scope.profile.name)),
            timeBudget: timeBudget.flatMap(Self.seconds), commit: commit, isQuiet: quiet, memory: memory)
    }

    private func scope() throws -> CellScope {
        var corpus: DocumentCorpus?
        if let documents {
            do throws(Fault) {
                corpus = try DocumentCorpus.read(path: documents, indexes: try indexSpecs(), seed: seed)
            } catch {
                throw Refusal.say(error.message)
            }
        }
        return CellScope(profile: Profile(profile), sizes: sizes.isEmpty ? nil : sizes, seed: seed, documents: corpus)
    }

    private func indexSpecs() throws(Fault) -> [IndexSpec] {
        var specs: [IndexSpec] = []
        for text in index {
            guard let colon = text.lastIndex(of: ":"), let type = IndexType(rawValue: String(text[text.index(after: colon)...])), colon > text.startIndex else {
                throw Fault(.invalidArguments, "--index takes PATH:TYPE with a type of string, integer, floating, json1, full_text: \(text)")
            }
            specs.append(IndexSpec(path: String(text[..<colon]), type: type))
        }
        return specs
    }

    /// The folder named, or a new one; a second run of one command gets a folder of its own beside the first.
    private static func folder(_ output: String?, _ profile: Profile.Name) -> String {
        let first = output ?? "runs/" + UTCTime.compact() + "-" + profile.rawValue
        guard FileManager.default.fileExists(atPath: first + "/run.json"), startedRuns.withLock({ $0 }) > 0 || output == nil else {
            startedRuns.withLock { $0 += 1 }
            return first
        }
        return first + "-second"
    }

    private static let startedRuns = Mutex(0)

    /// `90s`, `20m`, `2h` or plain seconds.
    static func seconds(_ text: String) -> Double? {
        let factors: [Character: Double] = ["s": 1, "m": 60, "h": 3_600]
        guard let last = text.last else { return nil }
        let number = factors[last] == nil ? text : String(text.dropLast())
        guard let value = Double(number), value > 0, value.isFinite else { return nil }
        return value * (factors[last] ?? 1)
    }

    private static var executable: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments.first ?? "soup"
    }
}
