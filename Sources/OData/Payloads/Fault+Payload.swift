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

    init(_ error: JSONError) {
        let code: Fault.Code =
            switch error.code {
            case .truncated: .truncated
            case .limitExceeded: .limitExceeded
            default: .invalidJSON
            }
        self.init(code, error.message, offset: error.offset)
    }
}
