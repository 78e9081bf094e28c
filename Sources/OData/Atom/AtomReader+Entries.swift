import Soups
import XMLText

extension AtomReader {
    mutating func startFeed() {
        var feed = ODataFeed()
        for index in 0..<tokenizer.attributeCount where role(of: tokenizer.attributeName(index)) == .context {
            let context = attributeText(index)
            feed.isDelta = context.hasSuffix("/$delta") || context.hasSuffix("$delta")
            feed.context = context
        }
        push(.feed, base: innerBase())
        feeds.append(feed)
    }

    mutating func startInFeed(_ role: AtomRole) throws(Fault) {
        switch role {
        case .entry: try startEntry()
        case .link: startLink()
        case .count, .id: pushText(role)
        case .reference:
            addReference()
            var entry = ODataEntry()
            entry.id = references.popLast()
            deliver(entry)
            skip()
        case .deletedEntry:
            addTombstone()
            skip()
        case .deltaLink, .deletedDeltaLink:
            addDeltaLink(isDeleted: role == .deletedDeltaLink)
            skip()
        case .error:
            throw Fault(.truncated, "The service ended the feed with an error.", offset: tokenizer.offset)
        default: skip()
        }
    }

    private mutating func addTombstone() {
        var entry = ODataEntry()
        var deletion = ODataEntry.Deletion()
        for index in 0..<tokenizer.attributeCount {
            switch role(of: tokenizer.attributeName(index)) {
            case .reference2: entry.id = URLReference(attributeText(index), base: base)
            case .when: deletion.when = attributeText(index)
            case .reason: deletion.reason = attributeText(index)
            default: break
            }
        }
        entry.deletion = deletion
        feeds[feeds.count - 1].isDelta = true
        deliver(entry)
    }

    private mutating func addDeltaLink(isDeleted: Bool) {
        var link = ODataFeed.DeltaLink(source: nil, relationship: "", target: nil, isDeleted: isDeleted)
        for index in 0..<tokenizer.attributeCount {
            switch role(of: tokenizer.attributeName(index)) {
            case .source: link.source = URLReference(attributeText(index), base: base)
            case .targetText: link.target = URLReference(attributeText(index), base: base)
            case .relationship: link.relationship = attributeText(index)
            default: break
            }
        }
        feeds[feeds.count - 1].isDelta = true
        feeds[feeds.count - 1].links.append(link)
    }

    mutating func startEntry() throws(Fault) {
        var entry = ODataEntry()
        let attributes = tokenizer.attributeCount
        var base = base
        if attributes > 0 {
            base = innerBase()
            for index in 0..<attributes where role(of: tokenizer.attributeName(index)) == .etag { entry.etag = attributeText(index) }
        }
        entry.properties.reserveCapacity(values.expectedProperties)
        entry.links.reserveCapacity(expectedLinks)
        push(.entry, base: base)
        entries.append(entry)
    }

    mutating func startInEntry(_ role: AtomRole) throws(Fault) {
        switch role {
        case .link: startLink()
        case .content: startContent()
        case .properties: push(.properties, base: base)
        case .id: pushText(role)
        case .category: readCategory()
        case .title, .summary, .updated, .published, .rights:
            // Only a feed mapping of the metadata can make properties of them.
            if checker == nil { skip() } else { pushText(role) }
        case .author:
            if checker == nil { skip() } else { push(.author, base: base) }
        default: skip()
        }
    }

    private mutating func readCategory() {
        var term: String?
        var isType = true
        for index in 0..<tokenizer.attributeCount {
            switch role(of: tokenizer.attributeName(index)) {
            case .term: term = typeTexts.value(of: tokenizer.attributeValue(index)) { StatedType($0).text }
            case .scheme:
                isType = tokenizer.attributeValue(index).suffix(7).elementsEqual("/scheme".utf8)
            default: break
            }
        }
        if isType, let term { entries[entries.count - 1].type = term }
        skip()
    }

    private mutating func startContent() {
        var media: ODataEntry.Media?
        var contentType: String?
        for index in 0..<tokenizer.attributeCount {
            switch role(of: tokenizer.attributeName(index)) {
            case .source: media = entries[entries.count - 1].media ?? ODataEntry.Media()
                media?.source = URLReference(attributeText(index), base: innerBase())
            case .typeText: contentType = contentTypes.value(of: tokenizer.attributeValue(index)) { String(bytes: $0) }
            default: break
            }
        }
        if var media {
            media.contentType = contentType
            entries[entries.count - 1].media = media
        }
        push(.content, base: base)
    }

    mutating func startLink() {
        var relation = AtomRelation.other
        var href: String?
        var etag: String?
        var isFeed = false
        var linkBase = base
        for index in 0..<tokenizer.attributeCount {
            switch role(of: tokenizer.attributeName(index)) {
            case .rel: relation = relations.value(of: tokenizer.attributeValue(index)) { AtomRelation($0) }
            case .href: href = attributeText(index)
            case .typeText: isFeed = isFeedType.value(of: tokenizer.attributeValue(index)) { Self.leadsToFeed($0) }
            case .etag: etag = attributeText(index)
            case .base: linkBase = innerBase()
            default: break
            }
        }
        let reference = href.map { URLReference($0, base: linkBase) }
        let isInEntry = frames[frames.count - 1].kind == .entry
        push(.link, base: linkBase)
        guard isInEntry else {
            if case .next = relation { feeds[feeds.count - 1].nextLink = reference }
            if case .delta = relation { feeds[feeds.count - 1].deltaLink = reference }
            return
        }
        let at = entries.count - 1
        switch relation {
        case .edit: entries[at].editLink = reference
        case .itself: entries[at].readLink = reference
        case .editMedia:
            var media = entries[at].media ?? ODataEntry.Media()
            media.editLink = reference
            media.etag = etag
            entries[at].media = media
        case .navigation(let name):
            frames[frames.count - 1].linkName = name
            frames[frames.count - 1].isFeedLink = isFeed
            if let reference { entries[at].links.append(ODataEntry.Link(name, reference, .navigation)) }
        case .association(let name):
            if let reference { entries[at].links.append(ODataEntry.Link(name, reference, .association)) }
        case .media(let name), .mediaEdit(let name):
            if let reference { entries[at].links.append(ODataEntry.Link(name, reference, .media)) }
        case .next, .delta, .other: break
        }
    }

    /// Whether the media type of a link has the parameter type=feed, however it is spaced and quoted.
    private static func leadsToFeed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        ContentType(String(bytes: bytes))["type"]?.lowercased() == "feed"
    }

    mutating func endEntry() throws(Fault) {
        guard var entry = entries.popLast() else { return }
        values.expectedProperties = entry.properties.count
        expectedLinks = entry.links.count
        if let checker {
            try checker.check(&entry, expected: entries.isEmpty ? options.entityType : nil, format: .atom, at: tokenizer.offset)
            entry.annotations.removeAll { $0.name.utf8.starts(with: "atom:".utf8) || $0.name.utf8.starts(with: "author/".utf8) }
        }
        let parent = frames[frames.count - 1]
        switch parent.kind {
        case .document: finished = .entry(entry)
        case .inline: entries[entries.count - 1].navigation.append(ODataEntry.Navigation(parent.linkName, .entry(entry)))
        default: deliver(entry)
        }
    }

    /// Gives out an entry of the outermost feed; keeps one of an inner feed.
    private mutating func deliver(_ entry: consuming ODataEntry) {
        if entries.isEmpty { completed = entry } else { feeds[feeds.count - 1].entries.append(entry) }
    }

    mutating func endFeed() throws(Fault) {
        guard let feed = feeds.popLast() else { return }
        guard feed.nextLink == nil || feed.deltaLink == nil else {
            throw Fault(.invalidXML, "A page has a next link or a delta link, not both.", offset: tokenizer.offset)
        }
        let parent = frames[frames.count - 1]
        if parent.kind == .inline {
            entries[entries.count - 1].navigation.append(ODataEntry.Navigation(parent.linkName, .feed(feed)))
        } else {
            finished = .feed(feed)
        }
    }
}
