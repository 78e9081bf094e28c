import LocalChanges
import OfflineStore
import Soups

/// The conditions on flags in Smart SQL, with the values that the type of their index has.
struct FlagCondition {
    let soup: String
    private let localType: IndexType?
    private let hasSyncIndex: Bool
    private let syncType: IndexType?

    init(_ check: SoupCheck) throws(Fault) {
        soup = check.soup
        localType = try check.indexType(ReservedField.local)
        syncType = try check.indexType(ReservedField.syncId)
        hasSyncIndex = syncType != nil
    }

    /// A path in Smart SQL.
    func column(_ path: String) -> String { "{\(soup):\(path)}" }

    /// The value that is bound for a flag.
    func value(_ isSet: Bool) -> SQLValue {
        localType == .string ? .text(isSet ? "true" : "false") : .integer(isSet ? 1 : 0)
    }

    /// The condition that holds for each value for which `isSet` is true, whatever the type of the index.
    static func setFlag(_ column: String) -> (text: String, arguments: [SQLValue]) {
        ("\(column) IN (?, ?, ?)", [.integer(1), .text("true"), .text("1")])
    }

    /// Whether a value of the column of `__local__` is a set flag.
    static func isSet(_ cell: StoreCell?) -> Bool {
        switch cell {
        case .value(.integer(let number))?: number == 1
        case .value(.text(let text))?: text.elementsEqual("true".utf8) || text.elementsEqual("1".utf8)
        default: false
        }
    }

    /// The clean rows that a sync brought; of any sync if the soup has no index on `__sync_id__`.
    ///
    /// - Parameter includesUnnamed: Whether rows without the id of a sync count too.
    func clean(syncId: Int64, includesUnnamed: Bool = false) -> (text: String, arguments: [SQLValue]) {
        let flag = "\(column(ReservedField.local)) = ?"
        guard hasSyncIndex else { return (flag, [value(false)]) }
        let sync: SQLValue = syncType == .string ? .text(String(syncId)) : .integer(syncId)
        let own = "\(column(ReservedField.syncId)) = ?"
        let condition = includesUnnamed ? "(\(own) OR \(column(ReservedField.syncId)) IS NULL)" : own
        return ("\(flag) AND \(condition)", [value(false), sync])
    }
}

/// Walks rows of a soup by their entry ids, a page at a time, without a cursor.
struct RowWalk {
    static let pageSize = 2_000

    let store: SmartStore
    let condition: FlagCondition
    let idField: String
    private(set) var last: Int64 = 0

    init(_ store: SmartStore, _ condition: FlagCondition, idField: String) {
        self.store = store
        self.condition = condition
        self.idField = idField
    }

    /// A row of a page: its entry id and its id on the service, as text; nil without one.
    struct Row {
        let entryId: Int64
        let id: RecordId?
    }

    /// The next rows that a condition holds for; empty at the end.
    mutating func next(_ clean: (text: String, arguments: [SQLValue])) throws(Fault) -> [Row] {
        let entry = condition.column("_soupEntryId")
        let rows = try store.rows(
            "SELECT \(entry), \(condition.column(idField)) FROM {\(condition.soup)} WHERE \(clean.text) AND \(entry) > ? ORDER BY \(entry)",
            arguments: clean.arguments + [.integer(last)], limit: Self.pageSize)
        var page: [Row] = []
        for cells in rows {
            guard case .value(.integer(let entryId))? = cells.first else { continue }
            last = entryId
            page.append(Row(entryId: entryId, id: cells.last.flatMap(RecordId.init(cell:))))
        }
        return page
    }
}

extension RecordId {
    /// The id in a column; nil for none.
    init?(cell: StoreCell) {
        switch cell {
        case .value(.text(let bytes)): self.init(String(decoding: bytes, as: UTF8.self))
        case .value(.integer(let number)): self.init(String(number))
        case .value(.real(let number)): self.init(Self.valueText(number))
        case .value(.null), .value(.blob), .entry: return nil
        }
    }

    /// The key of a look-up. A number finds both numbers and texts, however it is written.
    var key: SQLValue {
        guard isNumber, let number = Int64(text) else { return .text(text) }
        return .integer(number)
    }
}
