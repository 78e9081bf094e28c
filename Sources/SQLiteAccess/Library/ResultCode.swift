import CSQLite
import Soups

/// Holds SQLite's extended result code; the primary code is its low byte. Source: https://sqlite.org/rescode.html.
public struct ResultCode: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    public var primary: Int32 { rawValue & 0xFF }

    /// The code of the fault for this result.
    var faultCode: Fault.Code {
        if rawValue == SQ_READONLY_DBMOVED {
            return .storeNotFound
        }
        return switch primary {
        case SQ_BUSY, SQ_LOCKED: .busy
        case SQ_READONLY, SQ_PERM: .readOnly
        case SQ_FULL: .diskFull
        case SQ_CORRUPT, SQ_NOTADB: .corrupt
        case SQ_IOERR, SQ_CANTOPEN: .inputOutput
        case SQ_TOOBIG, SQ_NOMEM: .limitExceeded
        default: .sqlError
        }
    }
}
