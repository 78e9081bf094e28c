import ArgumentParser
import Benchmarking
import SoupBenchmarks
import Soups

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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

    @Option(
        help:
            "Leaves out the cells whose name holds this text or matches it as a regular expression; may be given several times. Unlike --filter it adds none that the profile leaves out."
    )
    var skip: [String] = []

    @Flag(
        help:
            "Also measure the cells of claims, floors and parsers, which the quick profile leaves out, and those of a million records, which need a filter otherwise."
    )
    var all = false

    @OptionGroup var documents: DocumentOptions

    @Option(
        help:
            "Pairs of each cell's first look, instead of the profile's. Fewer than 6 cannot show a difference."
    )
    var pairs: Int?

    @Option(help: "The seed of all random numbers.")
    var seed: UInt64 = 1

    @Option(
        help:
            "The folder of accepted reports, which say how long cells take: for estimates, for the division into shards, and for the pairs of long cells in the full profile."
    )
    var costs = "Reports"

    var filter: [String] { names.filter }

    func validate() throws {
        guard sizes.allSatisfy(CellScope.possibleSizes.contains) else {
            throw ValidationError("--sizes takes numbers from 1 to 1,000,000")
        }
        guard documents.documents == nil || sizes.isEmpty else {
            throw ValidationError("--documents and --sizes exclude each other")
        }
        try FilterOptions.check(skip, of: "--skip")
        if let pairs {
            guard (1...1_000).contains(pairs) else {
                throw ValidationError("--pairs takes a number from 1 to 1,000")
            }
        }
    }

    func scope() throws -> CellScope {
        do throws(Fault) {
            return CellScope(
                profile: Profile(profile), sizes: sizes.isEmpty ? nil : eachSizeOnce, seed: seed,
                documents: try documents.corpus(seed: seed))
        } catch {
            throw ExitStatus.refuse(error.message)
        }
    }

    /// The sizes in the order in which they were given first.
    private var eachSizeOnce: [Int] {
        var seen: Set<Int> = []
        return sizes.filter { seen.insert($0).inserted }
    }

    /// The cells of the whole run, with their pairs. `arms` are those to keep, or all if empty; `builds` are the names
    /// of other builds whose arms take turns with this one's.
    func cells(
        _ scope: CellScope, filter: [String], arms: [String] = [], beside builds: [String] = []
    ) throws -> [PlannedCell] {
        var cells = PlannedCell.filter(
            SoupCells().cells(scope).map { PlannedCell($0, profile: scope.profile) }, filter)
        if profile != .smoke, !all, filter.isEmpty {
            cells = PlannedCell.ofProfile(profile, cells)
            if sizes.isEmpty, documents.documents == nil {
                cells = cells.filter { !$0.cell.isVeryLong }
            }
        }
        cells = PlannedCell.without(skip, cells)
        if let unknown = arms.first(where: { name in
            !cells.contains { planned in planned.arms.contains { $0.name == name || $0.backend.name == name } }
        }) {
            throw ValidationError("no cell of this run has an arm \(unknown); see soup list")
        }
        cells = cells.compactMap { $0.only(arms: arms) }
        if !builds.isEmpty {
            cells = cells.compactMap { $0.beside(builds: builds, arms: [.plain, .cipher]) }
        }
        guard cells.contains(where: { !$0.cell.isControl }) || filter.contains("control") else {
            throw ValidationError("no cell matches \(filter.joined(separator: " or ")); see soup list")
        }
        guard let pairs else {
            let costs = try costTable()
            return cells.map { $0.limited(by: costs, profile: scope.profile) }
        }
        for index in cells.indices where cells[index].cell.style != .counted {
            cells[index].blocks = pairs
        }
        return cells
    }

    /// The times in accepted reports.
    func costTable() throws -> CostTable {
        do throws(Fault) { return try CostTable.stored(in: costs) } catch {
            throw ExitStatus.refuse(
                "the reports in \(costs) cannot be read: \(error.message); name another folder with --costs")
        }
    }
}
