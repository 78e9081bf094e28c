import CSQLite
import Platform
import Soups

extension Fault {
    /// Returns a fault with SQLite's message. Messages of running statements may quote values, so they are used only if
    /// no values were bound.
    static func sqlite(
        _ result: Int32, _ handle: RawHandle, doing action: String, mayQuoteValues: Bool, offsets: Bool = false
    ) -> Fault {
        let code = ResultCode(rawValue: result)
        let text = mayQuoteValues ? sq_errstr(handle.table, result) : sq_errmsg(handle.table, handle.database)
        let message = text.map { withoutLiteral(String(cString: $0)) } ?? "SQLite code \(result)"
        let offset = offsets ? sq_error_offset(handle.table, handle.database) : -1
        let advice =
            switch code.faultCode {
            case .busy: "; another process or connection holds the lock, waited for at most \(handle.busyTimeout) ms"
            case .diskFull: "; nothing was written, the disk has \(HostSystem.freeBytes(at: handle.path)) bytes free"
            case .storeNotFound: ": the file was removed or replaced while it was open; close all that has it open"
            case .readOnly: "; the file or its folder is not writable"
            default: ""
            }
        return Fault(
            code.faultCode, "\(action): \(message)\(advice)",
            offset: offset >= 0 ? Int(offset) : nil,
            context: [.resultCode(result)])
    }

    /// SQLite's message without the literal at which it could not read on: that may be a value.
    private static func withoutLiteral(_ message: String) -> String {
        if message.hasPrefix("near \"'") {
            return "near a text: syntax error"
        }
        return message.hasPrefix("unrecognized token: \"'") ? "a text without its end" : message
    }
}
