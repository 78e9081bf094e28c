import ArgumentParser
import Benchmarking
import FoundationEssentials
import SoupBenchmarks
import Soups

/// The options that choose cells. The same options give the same cells on every machine, and with the same reports the
/// same shards.
struct CellOptions: ParsableArguments {
    @Option(
        help: "How much to measure: smoke, quick or full. (default: quick)",
        transform: { text in
            guard let profile = Profile.Name(rawValue: text) else {
                throw ValidationError("--profile takes smoke, quick or full")
            }
            return profile
        })
    var profile: Profile.Name = .quick

    @Option(
        parsing: .upToNextOption,
        help: "Entries of the generated corpora, from 1 to 1,000,000, for example --sizes 1000 100000.")
    var sizes: [Int] = []

    @OptionGroup var names: FilterOptions

    @Flag(
        help:
            "Measure the cells of claims, floors and parsers too, which the quick profile leaves to --filter and to the full profile."
    )
    var all = false

    @OptionGroup var documents: DocumentOptions

    @Option(
        help:
            "Pairs of each cell's first look, in place of the profile's. Fewer than 6 show no difference, whatever they are."
    )
    var pairs: Int?

    @Option(help: "The seed of everything that is drawn.")
    var seed: UInt64 = 1

    @Option(
        help:
            "The folder of accepted reports that say how long cells take, for estimates and for dealing cells out to shards."
    )
    var costs = "Reports"

    var filter: [String] { names.filter }

    func validate() throws {
        guard sizes.allSatisfy(CellScope.possibleSizes.contains) else {
            throw ValidationError("--sizes takes numbers from 1 to 1,000,000")
        }
        guard documents.documents == nil || sizes.isEmpty else {
            throw ValidationError("--documents has its own size: leave --sizes out")
        }
        if let pairs {
            guard (1...1_000).contains(pairs) else {
                throw ValidationError("--pairs takes a number from 1 to 1,000")
            }
        }
    }

    func scope() throws -> CellScope {
        do throws(Fault) {
            return CellScope(
                profile: Profile(profile), sizes: sizes.isEmpty ? nil : sizes, seed: seed,
                documents: try documents.corpus(seed: seed))
        } catch {
            throw ExitStatus.refuse(error.message)
        }
    }

    /// The cells of the whole run, with their pairs; `arms` are those to keep, all where none is named; `builds` are
    /// names of other builds whose arms take turns with this one's.
    func cells(
        _ scope: CellScope, filter: [String], arms: [String] = [], beside builds: [String] = []
    ) throws -> [PlannedCell] {
        var cells = PlannedCell.filter(
            SoupCells().cells(scope).map { PlannedCell($0, profile: scope.profile) }, filter)
        if profile != .smoke, !all, filter.isEmpty {
            cells = PlannedCell.ofProfile(profile, cells)
        }
        if let unknown = arms.first(where: { name in
            !cells.contains { planned in planned.arms.contains { $0.name == name || $0.backend.name == name } }
        }) {
            throw ValidationError("no cell that would run has an arm \(unknown); soup list names them")
        }
        cells = cells.compactMap { $0.only(arms: arms) }
        if !builds.isEmpty {
            cells = cells.compactMap { $0.beside(builds: builds, arms: [.plain, .cipher]) }
        }
        guard cells.contains(where: { !$0.cell.isControl }) || filter.contains("control") else {
            throw ValidationError("no cell's name holds \(filter.joined(separator: " or ")); soup list names them")
        }
        if let pairs {
            for place in cells.indices where cells[place].cell.style != .counted {
                cells[place].blocks = pairs
            }
        }
        return cells
    }

    /// What accepted reports say of times.
    func costTable() throws -> CostTable {
        do throws(Fault) { return try CostTable.stored(in: costs) } catch {
            throw ExitStatus.refuse(
                "the reports in \(costs) cannot be read: \(error.message). Name another folder with --costs")
        }
    }
}
