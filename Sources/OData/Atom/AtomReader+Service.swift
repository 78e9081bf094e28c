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
            collectionKind =
                switch role {
                case .singleton: "Singleton"
                case .functionImport: "FunctionImport"
                case .serviceDocument: "ServiceDocument"
                default: "EntitySet"
                }
            collectionTitle = ""
            collectionHref = nil
            for index in 0..<tokenizer.attributeCount where self.role(of: tokenizer.attributeName(index)) == .href {
                collectionHref = URLReference(attributeText(index), base: innerBase())
            }
            push(.collection, base: innerBase())
        case (.collection, .title):
            pushText(.title)
        default: skip()
        }
    }

    /// The title is the name of the set. Without a title the URL is.
    mutating func endCollection() {
        let url = collectionHref ?? URLReference("", base: base)
        service.sets.append(
            ODataPayload.ServiceDocument.Member(
                name: collectionTitle.isEmpty ? url.text : collectionTitle, title: collectionTitle, url: url,
                kind: collectionKind))
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
                    errorBody.language = attributeText(index)
                }
            }
            if kind == .details {
                skip()
            } else {
                pushText(role)
            }
        case .details where kind == .error: push(.details)
        case .detail where kind == .details:
            errorBody.details.append(ODataPayload.ErrorBody.Detail())
            push(.detail)
        case .innerError where kind == .error: startInnerError()
        default: skip()
        }
    }

    mutating func endErrorText(_ target: AtomRole, _ string: String) {
        switch top.kind {
        case .error:
            switch target {
            case .code: errorBody.code = string
            case .message: errorBody.message = string
            default: errorBody.target = string
            }
        case .detail:
            let at = errorBody.details.count - 1
            switch target {
            case .code: errorBody.details[at].code = string
            case .message: errorBody.details[at].message = string
            default: errorBody.details[at].target = string
            }
        default: break
        }
    }

    mutating func endError(_ frame: Frame) {
        if frame.kind == .error {
            finished = .error(errorBody)
        }
    }
}
