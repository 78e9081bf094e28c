import Soups
import XMLText

extension AtomReader {
    /// Handles a start tag. Its meaning depends on the innermost frame.
    mutating func start() throws(Fault) {
        if skipped > 0 {
            skipped += 1
            return
        }
        if values.isOpen {
            return try startInsideProperty()
        }
        let role = role(of: tokenizer.name)
        switch top.kind {
        case .properties:
            if role == .data {
                try startProperty()
            } else {
                skip()
            }
        case .document: try startRoot(role)
        case .feed: try startInFeed(role)
        case .entry: try startInEntry(role)
        case .content:
            if role == .properties {
                startProperties()
            } else {
                skip()
            }
        case .link:
            // Only a navigation link of an entry holds other entries.
            guard role == .inline, top.linkName >= 0 else {
                return skip()
            }
            top.hasContent = true
            let (name, isFeed) = (top.linkName, top.isFeedLink)
            push(.inline, base: innerBase())
            top.linkName = name
            top.isFeedLink = isFeed
        case .inline: try startInline(role)
        case .author, .contributor:
            switch role {
            case .name, .email, .uri: pushText(role)
            default: skip()
            }
        case .text: skip()
        case .mapped: startMapped()
        case .service, .workspace, .collection: try startInService(role)
        case .error, .details, .detail: startInError(role)
        case .innerError: startInnerError()
        case .links: startInLinks(role)
        }
    }

    mutating func end() throws(Fault) {
        if skipped > 0 {
            skipped -= 1
            return
        }
        if values.isOpen {
            return try endProperty()
        }
        guard let frame = frames.popLast() else { return }
        let innerBase = frame.kind == .text ? base : nil
        if bases.count > frame.bases {
            bases.removeLast(bases.count - frame.bases)
        }
        let outer = frames.last?.kind
        collectsText = outer == .text || outer == .innerError || outer == .mapped
        switch frame.kind {
        case .entry: try endEntry()
        case .feed: try endFeed()
        case .inline: endInline(frame)
        case .text: try endText(frame, base: innerBase)
        case .properties: values.endNames(from: frame.namesStart, filter: frame.filter)
        case .collection: result.service.end(base: base)
        case .service: result.finished = .service(result.service.document)
        case .detail, .error: endError(frame)
        case .links: result.finished = result.links.payload
        case .innerError: endInnerError(frame)
        case .mapped: endMapped(frame)
        case .document, .author, .contributor, .content, .link, .workspace, .details: break
        }
    }

    private mutating func startRoot(_ role: AtomRole) throws(Fault) {
        for index in 0..<tokenizer.attributeCount where self.role(of: tokenizer.attributeName(index)) == .context {
            result.context = attributeText(index)
            rootType = checker?.expectedType(options.entityType, context: result.context, isOwn: false)
            // Without xml:base, relative URLs are resolved against the context URL.
            if bases.isEmpty, let found = JSONContext.base(of: attributeText(index)) {
                bases.append(found)
            }
        }
        switch role {
        case .feed: startFeed()
        case .entry: startEntry()
        case .error: push(.error)
        case .service:
            result.service.document.context = result.context
            push(.service, base: innerBase())
        case .reference:
            push(.links, base: innerBase())
            addReference()
            top.kind = .details
            var entry = ODataEntry()
            entry.id = result.links.references.first
            result.finished = .entry(entry)
        case .data:
            let local = tokenizer.localName(of: tokenizer.name)
            if hasValueAttributes() {
                try startProperty()
            } else if local == "links" {
                push(.links, base: innerBase())
            } else if local == "uri" {
                push(.text, base: innerBase())
                top.target = .uri
                collectsText = true
            } else {
                try startProperty()
            }
        case .value:
            isRootValue = true
            try startProperty()
        default: throw Fault(.invalidXML, "not an OData document: unexpected root element", offset: tokenizer.offset)
        }
    }

    /// Whether the element has m:type or m:null, which only properties have: `links` and `uri` are names of properties
    /// too.
    private mutating func hasValueAttributes() -> Bool {
        for index in 0..<tokenizer.attributeCount {
            let role = role(of: tokenizer.attributeName(index))
            if role == .metadataType || role == .null {
                return true
            }
        }
        return false
    }

    private mutating func startInline(_ role: AtomRole) throws(Fault) {
        guard role == .entry || role == .feed || role == .reference else {
            return skip()
        }
        guard !top.hasContent else {
            throw Fault(.invalidXML, "m:inline must hold one entry or one feed", offset: tokenizer.offset)
        }
        top.hasContent = true
        switch role {
        case .entry: startEntry()
        case .feed: startFeed()
        default:
            addReference()
            var related = ODataEntry()
            related.id = result.links.references.popLast()
            entry.rest.navigation.append(ODataEntry.Navigation(texts.page[top.linkName], .entry(related)))
            skip()
        }
    }

    /// An empty m:inline element means null, or an empty feed if the link is to a feed.
    private mutating func endInline(_ frame: Frame) {
        guard !frame.hasContent else { return }
        entry.rest.navigation.append(
            ODataEntry.Navigation(texts.page[frame.linkName], frame.isFeedLink ? .feed(ODataFeed()) : .null))
    }

    mutating func startInLinks(_ role: AtomRole) {
        if role == .count {
            return pushText(.count)
        }
        guard role == .data || role == .uri else {
            return skip()
        }
        switch tokenizer.localName(of: tokenizer.name) {
        case "uri": pushText(.uri)
        case "next": pushText(.referenceAttribute)
        default: skip()
        }
    }

    mutating func addReference() {
        for index in 0..<tokenizer.attributeCount where role(of: tokenizer.attributeName(index)) == .idAttribute {
            result.links.references.append(URLReference(attributeText(index), base: innerBase()))
        }
    }

    /// Handles the end tag of an element whose text was collected.
    private mutating func endText(_ frame: Frame, base innerBase: BaseURL?) throws(Fault) {
        let bytes = text[frame.textStart...]
        let parent = top.kind
        switch parent {
        case .entry:
            if frame.target == .id {
                withBytes(of: String(decoding: bytes, as: UTF8.self)) { setID($0) }
            } else if isChecked {
                entry.rest.annotations.append(
                    .init(Self.feedElement(frame.target), .string(String(decoding: bytes, as: UTF8.self))))
            }
        case .author, .contributor:
            if isChecked {
                let person = parent == .author ? "author/" : "contributor/"
                entry.rest.annotations.append(
                    .init(person + Self.feedElement(frame.target), .string(String(decoding: bytes, as: UTF8.self))))
            }
        case .feed:
            if frame.target == .count {
                result.feed.count = try count(bytes)
            } else if frame.target == .id, let url = Self.words(bytes) {
                result.feed.id = URLReference(url, base: base)
            }
        case .links:
            let string = Self.words(bytes) ?? ""
            switch frame.target {
            case .count: result.links.count = try count(bytes)
            case .uri: result.links.references.append(URLReference(string, base: base))
            default: result.links.next = URLReference(string, base: base)
            }
        case .collection: result.service.title = Self.words(bytes) ?? ""
        case .document:
            result.finished = .links(
                [URLReference(Self.words(bytes) ?? "", base: innerBase)], count: nil, nextLink: nil)
        default: endErrorText(frame.target, String(decoding: bytes, as: UTF8.self))
        }
        text.removeSubrange(frame.textStart...)
    }

    /// A URL or a name without the white space around it; nil if there is nothing else.
    private static func words(_ text: ArraySlice<UInt8>) -> String? {
        text.withUnsafeBufferPointer { (bytes) -> String? in
            let words = withoutBlanks(bytes)
            return words.isEmpty ? nil : String(decoding: words, as: UTF8.self)
        }
    }

    private func count(_ bytes: ArraySlice<UInt8>) throws(Fault) -> Int64 {
        let words = bytes.split(whereSeparator: { $0 <= 0x20 })
        guard words.count == 1, let value = Int64(String(decoding: words[0], as: UTF8.self)), value >= 0 else {
            throw Fault(.invalidLiteral, "the count is not a whole number", offset: tokenizer.offset)
        }
        return value
    }

    /// The annotation name that keeps the text of an Atom element until a feed mapping of the metadata reads it.
    static func feedElement(_ role: AtomRole) -> String {
        switch role {
        case .title: "atom:title"
        case .summary: "atom:summary"
        case .updated: "atom:updated"
        case .published: "atom:published"
        case .rights: "atom:rights"
        case .name: "atom:name"
        case .email: "atom:email"
        default: "atom:uri"
        }
    }
}
