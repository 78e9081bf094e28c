import Soups

/// Finds the handler of a call by its name.
enum CallTable {
    /// Every family of calls, in the order of the contract.
    static let handlers: [CallHandler] =
        BackEndCalls.all + SoupCalls.all + EntryCalls.all + WholeEntryCalls.all + TransactionCalls.all
        + CallerCalls.all + QueryCalls.all + CursorCalls.all + StoreCalls.all + ODataCalls.all + SoupQueryCalls.all
        + SOQLCalls.all + SyncCalls.all + SyncManagerCalls.all + CacheCalls.all + KeyValueCalls.all
        + ObservationCalls.all + AwaitingCalls.all + MaintenanceCalls.all + UpkeepCalls.all + TableCalls.all
        + SuspensionCalls.all + StateCalls.all + OfflineCalls.all

    private static let byName: [ByteKey: CallHandler] = Dictionary(
        uniqueKeysWithValues: handlers.map { (ByteKey($0.name), $0) })

    static func handler(of name: String) -> CallHandler? { byName[ByteKey(name)] }
}
