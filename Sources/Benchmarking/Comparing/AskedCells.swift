import Soups

/// Says which cells of a stored report a check was asked to compare.
package struct AskedCells: Sendable {
    private let names: NameFilter
    private let sizes: Set<Int>
    private let measured: Set<ByteKey>

    /// All cells.
    package static let all = AskedCells()

    /// - Parameters:
    ///   - filter: Texts or regular expressions, one of which the cell's name contains or matches; empty for all cells.
    ///   - sizes: The numbers of entries that were asked for; empty for all.
    ///   - measured: Cells that were measured for this check, and so were asked for.
    package init(filter: [String] = [], sizes: [Int] = [], measured: [String] = []) {
        names = NameFilter(filter)
        self.sizes = Set(sizes)
        self.measured = Set(measured.map { ByteKey($0) })
    }

    func contains(_ cellID: String) -> Bool {
        measured.contains(ByteKey(cellID)) || names.matches(cellID) && isOfSize(cellID)
    }

    private func isOfSize(_ cellID: String) -> Bool {
        guard !sizes.isEmpty, let entries = Self.entries(cellID) else { return true }
        return sizes.contains(entries)
    }

    /// The number in `upsert-string/entries=1000`; nil for a cell without a size.
    private static func entries(_ cellID: String) -> Int? {
        let name = Array("entries=".utf8)
        let parts = cellID.utf8.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ";") }
        let part = parts.first { $0.starts(with: name) }
        return part.flatMap { Int(String(decoding: $0.dropFirst(name.count), as: UTF8.self)) }
    }
}
