import ArgumentParser
import Benchmarking
import SoupBenchmarks

/// `soup list`: lists all cells, and their claims.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the cells that soup bench measures, with their arms and claims.",
        discussion: """
            Examples:
              soup list
              soup list --filter PERF-05
              soup list --filter '^match-'

            \(ExitStatus.help(success: "listed", usage: "a filter that matches nothing"))
            """)

    @OptionGroup var names: FilterOptions

    func run() throws {
        let scope = CellScope(profile: Profile(.full))
        let cells = PlannedCell.filter(
            SoupCells().cells(scope).map { PlannedCell($0, profile: scope.profile) }, names.filter)
        let wanted = names.filter.joined(separator: " or ")
        guard cells.contains(where: { !$0.cell.isControl }) || wanted.utf8Contains(Control.workload) else {
            throw ExitStatus.refuse("no cell and no claim matches \(wanted); soup list names all of them")
        }
        var table = TextTable([
            ("cell", .left), ("profile", .left), ("version", .left), ("arms", .left), ("claims", .left),
            ("what", .left),
        ])
        for planned in cells {
            let cell = planned.cell
            var claims: [String] = []
            for claim in cell.claims where !claims.contains(claim.id) {
                claims.append(claim.id)
            }
            table.add([
                cell.id, cell.profile.rawValue, cell.version, cell.arms.map(\.name).joined(separator: " "),
                claims.joined(separator: " "), cell.summary,
            ])
        }
        print(table.text, terminator: "")
    }
}
