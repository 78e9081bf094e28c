import JSONText
import Soups

/// Reads JSON payloads of all formats piece by piece. It returns the entries of the outermost feed as soon as their
/// bytes have arrived.
///
/// The members of the feed other than its entries are few and are kept. Each entry of the feed is parsed onto one tape,
/// which is reused. A body that is not a feed is read when it is complete. Members may have any order: entries with
/// relative URLs are held back until the context URL is known. Elements of `value` that may be those of a service
/// document or links are read again once it is known what they are; see `JSONLookAhead`.
struct JSONPayloadReader: ~Copyable {
    let options: PayloadOptions
    private let tape: JSONTape
    private var builder: JSONEntryBuilder
    private var buffer: [UInt8] = []
    private var position = 0
    /// The number of bytes of the body before the buffer.
    private var before = 0
    private var received = 0
    private var isFinished = false
    private var retryAt = 0

    private enum State {
        case beginning, firstMember, member, separator, firstElement, element, elementSeparator, closing, whole, ended
    }
    private var state = State.beginning
    /// Whether the position is inside the object `d` of verbose JSON.
    private var isInsideD = false
    /// The format before a member `d` was met, which an entity may have too.
    private var formatOutsideD: JSONFormat?
    private var isBareArray = false
    private var hasFeed = false
    private var members: [(name: String, value: JSONValue)] = []
    /// The fault of a count, thrown once its member is known to end: a text without its last quote is a fault of JSON.
    private var countFault: Fault?
    private var base: BaseURL?
    /// The context URL, once it was read.
    private var context: String?
    private var lookAhead = JSONLookAhead()
    /// The type of the elements, by the options and the context URL.
    private var elementType: String?
    private var feed = ODataFeed()
    /// How the elements of the feed are links; nil if they are entries. The first element decides in verbose JSON.
    private var linkForm: JSONLinks?
    private var links: [URLReference] = []
    private var hasElements = false
    /// Entries and links that are held back.
    private var waiting: [PayloadStep] = []
    private var isWaiting = false
    /// Entries and links that were held back and can be returned now, in reverse order.
    private var ready: [PayloadStep] = []

    init(options: PayloadOptions) {
        self.options = options
        tape = JSONTape(options: JSONOptions(maximumDepth: options.limits.depth, refusesDuplicateNames: true))
        let isVerbose = options.contentType?.isVerboseJSON == true || options.readVersion <= .v2
        builder = JSONEntryBuilder(
            options: options, format: isVerbose ? .verbose : options.readVersion.isV4 ? .v4 : .light3)
        base = options.baseURL.map(BaseURL.init)
        elementType = options.entityType
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(Fault) {
        received += bytes.count
        guard received <= options.limits.totalBytes else {
            throw Fault(
                .limitExceeded,
                "the body is longer than \(options.limits.totalBytes) bytes; raise PayloadOptions.limits.totalBytes",
                offset: options.limits.totalBytes)
        }
        if dropsBytes, position > 0 {
            buffer.removeSubrange(..<position)
            before += position
            position = 0
        }
        buffer.append(contentsOf: bytes)
        let pending = buffer.count - (dropsBytes ? 0 : position)
        guard !hasFeed || pending <= options.limits.entryBytes + bytes.count else {
            throw Fault(
                .limitExceeded,
                "an entry is longer than \(options.limits.entryBytes) bytes; raise PayloadOptions.limits.entryBytes",
                offset: before)
        }
    }

    mutating func finish() {
        isFinished = true
        retryAt = 0
    }

    /// Whether the bytes before the position are not needed any more.
    private var dropsBytes: Bool { hasFeed && !lookAhead.isActive }

    mutating func next() throws(Fault) -> PayloadStep {
        if let step = ready.popLast() {
            return step
        }
        if buffer.count < retryAt {
            return .needsInput
        }
        while true {
            if let step = try advance() {
                return step
            }
        }
    }

    /// Performs one step of the state machine; nil if another step is needed.
    private mutating func advance() throws(Fault) -> PayloadStep? {
        if state == .whole {
            return isFinished ? try readWhole() : .needsInput
        }
        if state == .beginning, position == 0 {
            guard buffer.count >= 3 || isFinished else {
                return .needsInput
            }
            if buffer.starts(with: [0xEF, 0xBB, 0xBF]) {
                position = 3
            }
        }
        skipSpace()
        guard position < buffer.count else {
            if state == .closing, isFinished {
                return try end()
            }
            return try unfinished()
        }
        let byte = buffer[position]
        switch state {
        case .beginning:
            if byte == UInt8(ascii: "{") {
                position += 1
                state = .firstMember
            } else if byte == UInt8(ascii: "["), builder.format == .verbose {
                isBareArray = true
                enterFeed()
            } else {
                state = .whole
            }
        case .firstMember, .member:
            if byte == UInt8(ascii: "}"), state == .firstMember, members.isEmpty, !hasFeed {
                state = .whole
                return nil
            }
            return try readMember()
        case .separator:
            position += 1
            if let countFault, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") {
                throw countFault
            }
            if byte == UInt8(ascii: ",") {
                state = .member
            } else if byte == UInt8(ascii: "}") {
                if isInsideD {
                    isInsideD = false
                } else if hasFeed {
                    state = .closing
                } else {
                    state = .whole
                }
            } else {
                position -= 1
                return try unexpected("expected ',' or '}'")
            }
        case .firstElement, .element:
            if byte == UInt8(ascii: "]"), state == .firstElement {
                position += 1
                leaveFeed()
                return nil
            }
            return try readElement()
        case .elementSeparator:
            position += 1
            if byte == UInt8(ascii: ",") {
                state = .element
            } else if byte == UInt8(ascii: "]") {
                leaveFeed()
            } else {
                position -= 1
                return try unexpected("expected ',' or ']'")
            }
        case .closing:
            return try unexpected("unexpected content after the end of the JSON value")
        case .whole, .ended:
            break
        }
        return nil
    }

    /// Refuses what is at the position: an error of the service that breaks or follows a feed, or anything else.
    private mutating func unexpected(_ message: String) throws(Fault) -> PayloadStep {
        guard hasFeed else {
            throw Fault(.invalidJSON, message, offset: before + position)
        }
        switch JSONStreamError.find(in: buffer[position...]) {
        case .error: throw JSONStreamError.fault(at: before + position)
        case .undecided where !isFinished: return try unfinished()
        case .undecided, .other: throw Fault(.invalidJSON, message, offset: before + position)
        }
    }

    private mutating func skipSpace() {
        while position < buffer.count {
            let byte = buffer[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position += 1
        }
    }

    /// Asks for more bytes. A large value is not parsed again before another quarter of its bytes has arrived, so that
    /// the total work stays linear.
    private mutating func unfinished() throws(Fault) -> PayloadStep {
        guard isFinished else {
            let pending = buffer.count - position
            retryAt = pending < 1_024 ? 0 : buffer.count + pending / 4
            if dropsBytes {
                retryAt -= position
            }
            return .needsInput
        }
        throw Fault(.truncated, "unexpected end of the body", offset: before + buffer.count)
    }

    /// Parses the value at an offset in the buffer onto the tape, and returns the offset of its end; nil if more bytes
    /// are needed.
    private mutating func layOut(at start: Int) throws(Fault) -> Int? {
        do {
            let count = try buffer.withUnsafeBufferPointer { (bytes) throws(JSONError) in
                try tape.readFirst(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[start...])))
            }
            // A number at the end of the bytes may continue.
            if start + count == buffer.count, !isFinished {
                return nil
            }
            return start + count
        } catch {
            if error.code == .truncated, !isFinished {
                return nil
            }
            let errorStart = start + error.offset
            if hasFeed, error.code == .syntax, errorStart <= buffer.count {
                switch JSONStreamError.find(in: buffer[errorStart...]) {
                case .error: throw JSONStreamError.fault(at: before + errorStart)
                case .undecided where !isFinished: return nil
                case .undecided, .other: break
                }
            }
            throw Fault(error).shifted(by: before + start)
        }
    }

    private mutating func enterFeed() {
        if context == nil, builder.format != .verbose {
            lookAhead.begin()
        }
        hasFeed = true
        position += 1
        state = .firstElement
    }

    /// Reads the body from its start, because it is known now how the elements that were looked at must be read.
    private mutating func restart() {
        lookAhead.end()
        position = 0
        retryAt = 0
        state = .beginning
        hasFeed = false
        members = []
        feed.annotations = []
    }

    private mutating func leaveFeed() {
        state = isBareArray ? (isInsideD ? .separator : .closing) : .separator
        if isBareArray, isInsideD {
            isInsideD = false
        }
    }

    /// Reads a member of the outermost object. As soon as a name cannot belong to a feed, the body is read as a whole.
    private mutating func readMember() throws(Fault) -> PayloadStep? {
        guard buffer[position] == UInt8(ascii: "\"") else {
            throw Fault(.invalidJSON, "expected a member name", offset: before + position)
        }
        guard let nameEnd = try layOut(at: position) else {
            return try unfinished()
        }
        let name = tape.withRoot { $0.string ?? "" }
        var index = nameEnd
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
        while index < buffer.count, isSpace(buffer[index]) {
            index += 1
        }
        guard index < buffer.count else {
            return try unfinished()
        }
        guard buffer[index] == UInt8(ascii: ":") else {
            throw Fault(.invalidJSON, "expected ':' after the member name", offset: before + index)
        }
        index += 1
        while index < buffer.count, isSpace(buffer[index]) {
            index += 1
        }
        var next = index + 1
        while next < buffer.count, isSpace(buffer[next]) {
            next += 1
        }
        guard index < buffer.count, next < buffer.count || isFinished else {
            return try unfinished()
        }
        guard !members.contains(where: { $0.name.hasBytes(of: name) }) else {
            throw Fault(.invalidJSON, "duplicate member name", offset: before + position)
        }

        let isArray = buffer[index] == UInt8(ascii: "[")
        let holdsObjects =
            isArray && next < buffer.count
            && (buffer[next] == UInt8(ascii: "{") || buffer[next] == UInt8(ascii: "]"))
        if !hasFeed, !options.readVersion.isV4, name == "d", members.isEmpty, !isInsideD,
            holdsObjects || buffer[index] == UInt8(ascii: "{")
        {
            formatOutsideD = builder.format
            builder.format = .verbose
            isInsideD = true
            position = index
            if isArray {
                isBareArray = true
                enterFeed()
            } else {
                position += 1
                state = .firstMember
            }
            return nil
        }
        if holdsObjects, !hasFeed, isFeed(name) {
            position = index
            enterFeed()
            return nil
        }
        if !hasFeed, !isEnvelope(name) {
            state = .whole
            return nil
        }
        guard let end = try layOut(at: index) else {
            return try unfinished()
        }
        guard members.count < 1_000 else {
            throw Fault(.limitExceeded, "more than 1000 members in the body", offset: before + position)
        }
        let value = tape.withRoot { $0.value }
        if hasFeed, !isEnvelope(name) {
            if case .object = value, JSONStreamError.names.contains(where: { $0.hasBytes(of: name) }) {
                throw JSONStreamError.fault(at: before + position)
            }
            throw Fault(
                .invalidJSON, "unexpected member in a feed: only control information may follow the entries",
                offset: before + position)
        }
        if JSONEnvelope.namesURL(name), !value.isNull, value.string == nil {
            // A link that is passed over would make this page the last one.
            throw Fault(.invalidJSON, "a URL must be a string", offset: before + index)
        }
        if JSONEnvelope.isMalformedCount(name, value) {
            countFault = Fault(.invalidLiteral, "the count must be a whole number", offset: before + index)
        }
        members.append((name, value))
        if let term = JSONEnvelope.term(of: name) {
            feed.annotations.append(.init(term, try annotation(at: before + index)))
        }
        let start = position
        position = end
        state = .separator
        if Self.isContext(name), let found = value.string, context == nil {
            context = found
            try read(context: found, at: before + start)
        }
        return nil
    }

    /// The value on the tape, which is that of an annotation of the feed.
    private mutating func annotation(at offset: Int) throws(Fault) -> ODataValue {
        do throws(Fault) {
            return try tape.withRoot { (node) throws(Fault) in try builder.untyped(node) }
        } catch {
            throw error.shifted(by: offset)
        }
    }

    private mutating func read(context: String, at offset: Int) throws(Fault) {
        if builder.format == .verbose, !isInsideD, options.contentType?.isVerboseJSON != true {
            builder.format = .light3
        }
        if let found = JSONContext.base(of: base.map { $0.resolve(context) } ?? context) {
            base = found
        }
        builder.expanded = ExpandedNames(context)
        elementType = builder.expectedType(options.entityType, bodyContext: context)
        if lookAhead.isActive {
            restart()
        } else if hasFeed, !isFeedOfContext || linkFormOfContext != nil {
            throw lookAhead.fault(at: offset)
        }
    }

    private static func isContext(_ name: String) -> Bool {
        ["@odata.context", "@context", "odata.metadata"].contains { $0.hasBytes(of: name) }
    }

    private func isFeed(_ name: String) -> Bool {
        if builder.format == .verbose {
            return name == "results" && !members.contains { $0.name == "__metadata" }
        }
        return name == "value" && isFeedOfContext
    }

    /// Whether the context URL, if it is known, allows a feed: it is not that of a service document, which ends with
    /// `$metadata`, of one entity, which may have a property `value`, or of a collection of primitive values.
    private var isFeedOfContext: Bool {
        guard let context else { return true }
        return !JSONContext.isOfPrimitives(context) && !JSONContext.isOfEntity(context)
            && !context.hasSuffix("$metadata") && !isOfValues(context)
    }

    /// Whether a context URL leads to values of a primitive type, an enumeration or a type definition of the model. An
    /// empty array has no element that would show it.
    private func isOfValues(_ context: String) -> Bool {
        guard let types = builder.checker, let found = types.type(ofContext: context) else { return false }
        let name = found.type.name
        return types.primitive(name) != nil || types.model.enumType(name) != nil
    }

    /// Whether a member of this name may accompany the entries of a feed.
    private func isEnvelope(_ name: String) -> Bool {
        switch builder.format {
        case .verbose:
            return name == "__count" || name == "__next" || name == "__delta" || name.utf8.first == UInt8(ascii: "@")
        case .light3:
            return name.utf8.contains(UInt8(ascii: ".")) && name != "odata.error"
                || name.utf8.contains(UInt8(ascii: "@"))
        // Some services write `odata.nextLink` in version 4 too. Property names have no dots.
        case .v4:
            return name.utf8.contains(UInt8(ascii: "@")) || name.utf8.first == UInt8(ascii: "#")
                || name.utf8.starts(with: "odata.".utf8)
        }
    }

    private mutating func readElement() throws(Fault) -> PayloadStep? {
        let start = position
        guard let end = try layOut(at: start) else {
            return try unfinished()
        }
        if lookAhead.isActive {
            guard lookAhead.goesOn(to: end), tape.withRoot({ JSONLookAhead.mayBeOther($0) }) else {
                restart()
                return nil
            }
            position = end
            state = .elementSeparator
            return nil
        }
        let offset = before + start
        let base = elementBase
        builder.metRelativeURL = false
        let expected = elementType
        var read: PayloadStep?
        do throws(Fault) {
            read = try tape.withRoot { (node) throws(Fault) in
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
                        node, context: context, expected: builder.expectedType(expected, ownContext: context),
                        base: base))
            }
        } catch {
            throw error.shifted(by: offset)
        }
        position = end
        state = .elementSeparator
        guard let step = read else { return nil }
        switch step {
        case .entry(let entry) where entry.deletion == nil: break
        default: feed.isDelta = true
        }
        if builder.metRelativeURL, base == nil, builder.format != .verbose {
            isWaiting = true
        }
        guard isWaiting else {
            return step
        }
        waiting.append(step)
        return nil
    }

    /// The base of URLs in the elements; nil while a context URL may follow, which would be their base.
    private var elementBase: BaseURL? { context == nil && builder.format != .verbose ? nil : base }

    /// How the elements of the feed are links, judged by the context URL or else by the first element.
    private func linkForm(of first: JSONNode) -> JSONLinks? {
        builder.format == .verbose
            ? JSONLinks.verbose.url(of: first).map { _ in .verbose } : linkFormOfContext
    }

    private var linkFormOfContext: JSONLinks? {
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
        guard let source, let target, let relationship = node["relationship"]?.string else {
            throw Fault(
                .invalidJSON, "a delta link needs source, relationship and target", offset: node.offset)
        }
        var link = ODataFeed.DeltaLink(
            source: source, relationship: relationship, target: target, isDeleted: isDeleted)
        link.context = context
        return link
    }

    /// Handles the end of a body with a feed: reads the members other than the entries.
    private mutating func end() throws(Fault) -> PayloadStep? {
        if lookAhead.isActive {
            restart()
            return nil
        }
        if isWaiting {
            isWaiting = false
            ready = waiting.reversed().map { step in base.map { step.rebased($0) } ?? step }
            waiting = []
            if let step = ready.popLast() {
                return step
            }
        }
        state = .ended
        try JSONEnvelope.fill(&feed, from: members, base: base, at: before + position)
        if linkForm != nil || (!hasElements && linkFormOfContext != nil) {
            let base = base
            return .end(
                .links(
                    links.map { $0.base == nil ? URLReference($0.text, base: base) : $0 }, count: feed.count,
                    nextLink: feed.nextLink))
        }
        return .end(.feed(feed))
    }

    private mutating func readWhole() throws(Fault) -> PayloadStep {
        state = .ended
        var start = 0
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) {
            start = 3
        }
        do {
            try buffer.withUnsafeBufferPointer { (bytes) throws(JSONError) in
                try tape.read(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[start...])))
            }
        } catch {
            throw Fault(error).shifted(by: start)
        }
        builder.format = formatOutsideD ?? builder.format
        // The context is read once more, and a relative one would be resolved against itself.
        let base = options.baseURL.map(BaseURL.init)
        do throws(Fault) {
            let payload = try tape.withRoot { (root) throws(Fault) in try JSONDocument.read(root, &builder, base: base)
            }
            return .end(payload)
        } catch {
            throw error.shifted(by: start)
        }
    }
}
