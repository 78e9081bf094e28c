import JSONText
import Soups

extension JSONPayloadReader {
    /// Reads one element of the feed. Returns `nil` if another step is needed.
    mutating func readElement() throws(Fault) -> PayloadStep? {
        let start = position
        guard let end = try layOut(at: start) else {
            return try unfinished()
        }
        if lookAhead.isActive {
            lookAtElement(to: end)
            return nil
        }
        builder.metRelativeURL = false
        let read: PayloadStep?
        do throws(Fault) { read = try elementOnTape() } catch {
            throw error.shifted(by: before + start)
        }
        position = end
        state = .elementSeparator
        guard let step = read else { return nil }
        switch step {
        case .entry(let entry) where entry.deletion == nil: break
        default: feed.isDelta = true
        }
        if builder.metRelativeURL, elementBase == nil, builder.format != .verbose {
            isWaiting = true
        }
        guard isWaiting else {
            return step
        }
        waiting.append(step)
        return nil
    }

    /// Passes over an element whose meaning is not known yet, or reads the body again from its start if it may be other
    /// than an entry.
    private mutating func lookAtElement(to end: Int) {
        guard lookAhead.goesOn(to: end), tape.withRoot({ JSONLookAhead.mayBeOther($0) }) else {
            restart()
            return
        }
        position = end
        state = .elementSeparator
    }

    /// The element on the tape: an entry or a link of a delta; `nil` for a link, which is kept for the end of the feed.
    private mutating func elementOnTape() throws(Fault) -> PayloadStep? {
        let base = elementBase
        let expected = elementType
        return try tape.withRoot { (node) throws(Fault) in
            metNull = node.isNull && linkFormOfContext == nil && JSONContext.mayHoldNull(context)
            if metNull, context != nil {
                // The values before it were returned as entries.
                throw Fault(
                    .unsupported,
                    "a null among complex values cannot be an entry; read the whole body with ODataPayload(reading:)",
                    offset: node.offset)
            }
            if !hasElements {
                hasElements = true
                linkForm = linkForm(of: node)
            }
            if linkForm != nil {
                try addReference(node)
                return nil
            }
            let context = try builder.control(.context, of: node)
            if let context, let link = try deltaLink(node, context) {
                return .link(link)
            }
            return .entry(
                try builder.entry(
                    node, context: context, expected: builder.expectedType(expected, ownContext: context), base: base))
        }
    }

    /// The base of URLs in the elements; nil while a context URL may follow, which would be their base.
    private var elementBase: BaseURL? { context == nil && builder.format != .verbose ? nil : base }

    /// How the elements of the feed are links, judged by the context URL or else by the first element.
    private func linkForm(of first: JSONNode) -> JSONLinks? {
        builder.format == .verbose
            ? JSONLinks.verbose.url(of: first).map { _ in .verbose } : linkFormOfContext
    }

    var linkFormOfContext: JSONLinks? {
        context.flatMap { JSONLinks(context: $0, version: options.readVersion) }
    }

    private mutating func addReference(_ node: JSONNode) throws(Fault) {
        guard let url = linkForm?.url(of: node), let reference = try builder.reference(url, base: elementBase) else {
            throw Fault(.invalidJSON, "expected a link: the first element is one", offset: node.offset)
        }
        links.append(reference)
    }

    /// Reads a link of a delta, which its own context URL marks as such; nil for other elements.
    private mutating func deltaLink(_ node: JSONNode, _ context: JSONNode) throws(Fault) -> ODataFeed.DeltaLink? {
        guard builder.format == .v4, let context = context.string else { return nil }
        let isDeleted = JSONContext.ends(context, with: "$deletedLink")
        guard isDeleted || JSONContext.ends(context, with: "$link") else { return nil }
        let base = elementBase
        let source = try node["source"].flatMap { (value) throws(Fault) in try builder.reference(value, base: base) }
        let target = try node["target"].flatMap { (value) throws(Fault) in try builder.reference(value, base: base) }
        // Since 4.01 a deleted link of a property with one related entity may lack its target (JSON Format 4.01, 15.5).
        let needsTarget = !isDeleted || options.readVersion != .v401
        guard let source, let relationship = node["relationship"]?.string, target != nil || !needsTarget else {
            throw Fault(
                .invalidJSON, "a delta link needs source, relationship and target", offset: node.offset)
        }
        var link = ODataFeed.DeltaLink(
            source: source, relationship: relationship, target: target, isDeleted: isDeleted)
        link.context = context
        return link
    }
}
