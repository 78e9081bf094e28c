import JSONText
import Soups
import XMLText

extension Fault {
    init(_ error: XMLError) {
        let code: Fault.Code =
            switch error.code {
            case .truncated: .truncated
            case .doctypeForbidden: .doctypeForbidden
            case .limitExceeded: .limitExceeded
            default: .invalidXML
            }
        self.init(code, error.message, offset: error.offset)
    }

    /// - Parameter depthLimit: The option that limits the depth; nil for a limit that cannot be raised.
    init(_ error: JSONError, depthLimit: String? = nil) {
        guard error.code != .limitExceeded else {
            // Nothing but the depth is limited here, and not by an option of the JSON reader.
            let advice = depthLimit.map { "; raise \($0)" } ?? ""
            self.init(.limitExceeded, "objects and arrays are nested too deeply" + advice, offset: error.offset)
            return
        }
        let code: Fault.Code =
            switch error.code {
            case .truncated: .truncated
            default: .invalidJSON
            }
        self.init(code, error.message, offset: error.offset)
    }
}
