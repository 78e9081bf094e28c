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
        localType == .string ? .text(isSet ? "true" : "false") : .boolean(isSet)
    }

    /// The condition that holds for each value for which `isSet` is true, whatever the type of the index.
    static func setFlag(_ column: String) -> (text: String, arguments: [SQLValue]) {
        ("\(column) IN (?, ?, ?)", [.integer(1), .text("true"), .text("1")])
    }

    /// Whether a value of the column of `__local__` is a set flag.
    static func isSet(_ cell: StoreCell?) -> Bool {
        switch cell {
        case .value(.integer(let number))?: number == 1
        case .value(.real(let number))?: number == 1
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
