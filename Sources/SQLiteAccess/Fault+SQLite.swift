import CSQLite
import Soups

extension Fault {
    /// Returns a fault with SQLite's message. Messages of running statements may quote values, so they are used only if
    /// no values were bound.
    static func sqlite(
        _ result: Int32, _ handle: RawHandle, doing action: String, mayQuoteValues: Bool, offsets: Bool = false
    ) -> Fault {
        let code = ResultCode(rawValue: result)
        let said = mayQuoteValues ? sq_errstr(handle.table, result) : sq_errmsg(handle.table, handle.database)
        let offset = offsets ? sq_error_offset(handle.table, handle.database) : -1
        let advice =
            switch code.faultCode {
            case .busy: "; another connection or process holds the lock"
            case .diskFull: "; nothing was written, free some space"
            case .storeNotFound: ": the file was removed or replaced while it was open; close all that has it open"
            case .readOnly: "; the file or its folder is not writable"
            default: ""
            }
        return Fault(
            code.faultCode, "\(action): \(said.map { String(cString: $0) } ?? "SQLite code \(result)")\(advice)",
            offset: offset >= 0 ? Int(offset) : nil,
            context: [.resultCode(result)])
    }
}
