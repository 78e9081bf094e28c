import JSONText
import OfflineStore
import Soups

/// Compares rows with what the other ways of reading them give.
enum RowReadings {
    /// Compares rows with those that are shown one at a time, and the names of their columns.
    static func compare(
        _ rows: Slice<RowList>, _ text: String, _ bound: [SQLValue], in store: SmartStore
    ) throws(Fault) {
        var names: [String] = []
        var shown: [[StoreCell]] = []
        try EntryReadings.ownFaults {
            try store.read { reader in
                (names, shown) = ([], [])
                try reader.forEachRow(text, arguments: bound, isRaw: false, columns: { names = $0 }) { cells in
                    if shown.count < rows.count {
                        shown.append(cells)
                    }
                    return shown.count < rows.count
                }
            }
        }
        let expected = names.map { ByteKey($0) }
        guard shown == rows.map({ Array($0) }), rows.allSatisfy({ $0.columns.map { ByteKey($0) } == expected }) else {
            throw EntryReadings.disagreement("shown one at a time")
        }
        try compareLists(rows, text, bound, in: store)
    }

    /// Compares rows with a list of values of Swift, if such can be read from all of them.
    private static func compareLists(
        _ rows: Slice<RowList>, _ text: String, _ bound: [SQLValue], in store: SmartStore
    ) throws(Fault) {
        guard rows.allSatisfy({ $0.allSatisfy(isReadable) }), rows.count == rows.base.count else { return }
        let (single, listed) = try EntryReadings.ownFaults {
            try store.read { reader in
                (
                    try rows.map { try $0.decode(ListedRow.self).values.map(\.json) },
                    try reader.rows(ListedRow.self, text, arguments: bound).map { $0.values.map(\.json) }
                )
            }
        }
        guard single == listed else { throw EntryReadings.disagreement("as a list of values") }
    }

    /// Compares rows with the values of Swift that are read from them.
    static func compare(_ rows: some Sequence<StoreRow>, _ values: [JSONValue]) throws(Fault) {
        for (row, value) in zip(rows, values) where row.allSatisfy(isReadable) {
            let cells = (value.array ?? []).map { CodableTree($0).json }
            let (named, listed) = try EntryReadings.ownFaults {
                (try row.decode(NamedRow.self).values, try row.decode(ListedRow.self).values)
            }
            try EntryReadings.agree(cells, listed.map(\.json), "in order")
            for (name, value) in named {
                guard let index = row.columns.firstIndex(where: { ByteKey($0) == ByteKey(name) }) else {
                    throw EntryReadings.disagreement("by name")
                }
                try EntryReadings.agree([cells[index]], [value.json], "by name")
                guard row[name] == row[index] else { throw EntryReadings.disagreement("by name") }
            }
            guard named.count == row.count else { throw EntryReadings.disagreement("by name") }
            if let first = cells.first {
                let single = try EntryReadings.ownFaults { try row.decode(SingleRow.self).value }
                try EntryReadings.agree([first], [single.json], "as one value")
            }
        }
    }

    /// Whether a value of Swift can be read from a cell. It cannot from a text that is not UTF-8.
    private static func isReadable(_ cell: StoreCell) -> Bool {
        guard case .value(.text) = cell else { return true }
        return cell.string != nil
    }
}
