import Soups
import XMLText

extension AtomReader {
    mutating func startInService(_ role: AtomRole) throws(Fault) {
        switch (top.kind, role) {
        case (.service, .collection):
            throw Fault(
                .invalidXML, "a collection must be inside a workspace of the service document",
                offset: tokenizer.offset)
        case (.service, .workspace):
            push(.workspace, base: innerBase())
        case (.workspace, .collection), (.workspace, .singleton), (.workspace, .functionImport),
            (.workspace, .serviceDocument):
            let kind =
                switch role {
                case .singleton: "Singleton"
                case .functionImport: "FunctionImport"
                case .serviceDocument: "ServiceDocument"
                default: "EntitySet"
                }
            result.service.begin(kind: kind)
            for index in 0..<tokenizer.attributeCount {
                switch self.role(of: tokenizer.attributeName(index)) {
                case .href: result.service.url = URLReference(attributeText(index), base: innerBase())
                case .nameAttribute: result.service.name = attributeText(index)
                default: break
                }
            }
            push(.collection, base: innerBase())
        case (.collection, .title):
            pushText(.title)
        default: skip()
        }
    }

    mutating func startInError(_ role: AtomRole) {
        let kind = top.kind
        switch role {
        case .code, .target:
            if kind == .error || kind == .detail {
                pushText(role)
            } else {
                skip()
            }
        case .message:
            for index in 0..<tokenizer.attributeCount where self.role(of: tokenizer.attributeName(index)) == .language {
                if kind == .error {
                    result.error.language = attributeText(index)
                }
            }
            if kind == .details {
                skip()
            } else {
                pushText(role)
            }
        case .details where kind == .error: push(.details)
        case .detail where kind == .details:
            result.error.details.append(ODataPayload.ErrorBody.Detail())
            push(.detail)
        case .innerError where kind == .error: startInnerError()
        default: skip()
        }
    }

    mutating func endErrorText(_ target: AtomRole, _ string: String) {
        switch top.kind {
        case .error:
            switch target {
            case .code: result.error.code = string
            case .message: result.error.message = string
            default: result.error.target = string
            }
        case .detail:
            let at = result.error.details.count - 1
            switch target {
            case .code: result.error.details[at].code = string
            case .message: result.error.details[at].message = string
            default: result.error.details[at].target = string
            }
        default: break
        }
    }

    mutating func endError(_ frame: Frame) {
        if frame.kind == .error {
            result.finished = .error(result.error)
        }
    }
}
