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
        result.feeds.append(feed)
    }

    mutating func startInFeed(_ role: AtomRole) throws(Fault) {
        switch role {
        case .entry: startEntry()
        case .link: try startLink()
        case .count, .id: pushText(role)
        case .reference:
            addReference()
            var entry = ODataEntry()
            entry.id = result.links.references.popLast()
            deliver(entry)
            skip()
        case .deletedEntry:
            try addTombstone()
            skip()
        case .deltaLink, .deletedDeltaLink:
            addDeltaLink(isDeleted: role == .deletedDeltaLink)
            skip()
        case .error:
            throw Fault(
                .truncated, "the service ended the feed with an error; read the feed again", offset: tokenizer.offset)
        default: skip()
        }
    }

    private mutating func addTombstone() throws(Fault) {
        var entry = ODataEntry()
        var deletion = ODataEntry.Deletion()
        for index in 0..<tokenizer.attributeCount {
            switch role(of: tokenizer.attributeName(index)) {
            case .referenceAttribute: entry.id = URLReference(attributeText(index), base: base)
            case .when: deletion.when = attributeText(index)
            case .reason: deletion.reason = attributeText(index)
            case .context: entry.context = attributeText(index)
            default: break
            }
        }
        guard entry.id != nil else {
            throw Fault(.invalidXML, "a deleted entry has no ref, which is its id", offset: tokenizer.offset)
        }
        entry.deletion = deletion
        result.feed.isDelta = true
        deliver(entry)
    }

    private mutating func addDeltaLink(isDeleted: Bool) {
        var link = ODataFeed.DeltaLink(source: nil, relationship: "", target: nil, isDeleted: isDeleted)
        for index in 0..<tokenizer.attributeCount {
            switch role(of: tokenizer.attributeName(index)) {
            case .source: link.source = URLReference(attributeText(index), base: base)
            case .targetAttribute: link.target = URLReference(attributeText(index), base: base)
            case .relationship: link.relationship = attributeText(index)
            case .context: link.context = attributeText(index)
            default: break
            }
        }
        result.feed.isDelta = true
        if depth == 0 {
            completed = .link(link)
        } else {
            result.feed.append(link)
        }
    }

    mutating func startEntry() {
        if isChecked {
            expectedTypes.append(depth == 0 ? outermostType() : relatedType())
        }
        push(.entry, base: tokenizer.attributeCount > 0 ? innerBase() : nil)
        if depth == 0 {
            turnPage()
            entry = pool.begin(texts.page)
        } else {
            var inner = pool.beginNested(texts.page)
            swap(&inner, &entry)
            outerEntries.append(ODataEntry.Box(inner))
        }
        depth += 1
        for index in 0..<tokenizer.attributeCount {
            switch role(of: tokenizer.attributeName(index)) {
            case .etag: entry.setEtag(tokenizer.attributeValue(index))
            case .context: entry.rest.context = attributeText(index)
            default: break
            }
        }
    }

    /// The type that an outermost entry has, or from which its type is derived. An entry of a feed may have a context
    /// URL of its own, because a delta may have entries of several sets.
    private mutating func outermostType() -> String? {
        guard top.kind == .feed else { return rootType }
        for index in 0..<tokenizer.attributeCount where role(of: tokenizer.attributeName(index)) == .context {
            return checker?.expectedType(rootType, context: attributeText(index), isOwn: true)
        }
        return rootType
    }

    /// The type that the model declares for the entries of the link that is open; nil without a declaration.
    private func relatedType() -> String? {
        guard let checker, let link = frames.last(where: { $0.kind == .inline }) else { return nil }
        var owner = expectedTypes.last ?? nil
        // A category that states a derived type usually comes before the links.
        if entry.typeNumber >= 0, checker.model.structuredType(texts.page[entry.typeNumber]) != nil {
            owner = texts.page[entry.typeNumber]
        }
        return owner.flatMap { checker.model.navigation(texts.page[link.linkName], of: $0)?.type.name }
    }

    mutating func startInEntry(_ role: AtomRole) throws(Fault) {
        switch role {
        case .link: try startLink()
        case .content: startContent()
        case .properties: startProperties()
        case .id:
            guard let bytes = tokenizer.readLeaf() else {
                return pushText(role)
            }
            setID(bytes)
        case .category: readCategory()
        case .title, .summary, .updated, .published, .rights:
            // These elements matter only to a feed mapping, which only metadata can declare.
            if isChecked {
                pushText(role)
            } else {
                skip()
            }
        case .author, .contributor:
            if isChecked {
                push(role == .author ? .author : .contributor)
            } else {
                skip()
            }
        default:
            if isChecked {
                startMapped()
            } else {
                skip()
            }
        }
    }

    /// Sets the id of the entry, unless the element has nothing but white space. Atom cannot omit it, so a transient
    /// entity has one with a prefix (OData Atom 4.0, 4.2).
    @inline(__always)
    mutating func setID(_ text: UnsafeBufferPointer<UInt8>) {
        let bytes = Self.withoutBlanks(text)
        guard !bytes.isEmpty else { return }
        if bytes.first == UInt8(ascii: "o"), options.readVersion.isV4, bytes.starts(with: "odata:transient:".utf8) {
            entry.isTransient = true
        } else {
            entry.setID(bytes, base: base)
        }
    }

    /// A URL without the white space around it, which documents with indented texts have.
    static func withoutBlanks(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        guard let first = text.firstIndex(where: { $0 > 0x20 }), let last = text.lastIndex(where: { $0 > 0x20 }) else {
            return UnsafeBufferPointer(rebasing: text[..<0])
        }
        return UnsafeBufferPointer(rebasing: text[first...last])
    }

    mutating func startProperties() {
        push(.properties)
        _ = values.beginNames()
    }

    private mutating func readCategory() {
        var term = -1
        var isType = true
        for index in 0..<tokenizer.attributeCount {
            switch role(of: tokenizer.attributeName(index)) {
            case .term: term = index
            case .scheme:
                isType = schemes.value(of: tokenizer.attributeValue(index)) {
                    $0.suffix(7).elementsEqual("/scheme".utf8)
                }
            default: break
            }
        }
        if isType, term >= 0 {
            let type = values.number(ofType: tokenizer.attributeValue(term))
            entry.typeNumber = values.textNumber(ofType: type, in: &texts)
        }
        skip()
    }

    private mutating func startContent() {
        var type = -1
        var source = -1
        for index in 0..<tokenizer.attributeCount {
            switch role(of: tokenizer.attributeName(index)) {
            case .source: source = index
            case .typeAttribute: type = index
            default: break
            }
        }
        if source >= 0 {
            var media = entry.rest.media ?? ODataEntry.Media()
            media.source = URLReference(attributeText(source), base: innerBase())
            media.contentType = type < 0 ? nil : attributeText(type)
            entry.rest.media = media
        }
        push(.content)
    }

    mutating func startLink() throws(Fault) {
        var relation = AtomRelation(kind: .other)
        var name: UnsafeBufferPointer<UInt8>?
        var href: UnsafeBufferPointer<UInt8>?
        var etag: String?
        var isFeed = false
        var linkBase = base
        for index in 0..<tokenizer.attributeCount {
            switch role(of: tokenizer.attributeName(index)) {
            case .rel:
                let value = tokenizer.attributeValue(index)
                relation = relations.value(of: value) { AtomRelation($0) }
                name = UnsafeBufferPointer(rebasing: value[relation.nameStart...])
            case .href: href = tokenizer.attributeValue(index)
            case .typeAttribute: isFeed = isFeedType.value(of: tokenizer.attributeValue(index)) { Self.leadsToFeed($0) }
            case .etag: etag = attributeText(index)
            case .base: linkBase = innerBase()
            default: break
            }
        }
        var linkName: Int32 = -1
        if depth > 0, top.kind == .entry {
            switch relation.kind {
            case .edit: if let href { entry.setEditLink(href, base: linkBase) }
            case .itself: if let href { entry.setReadLink(href, base: linkBase) }
            case .editMedia:
                var media = entry.rest.media ?? ODataEntry.Media()
                media.editLink = href.map { URLReference(String(bytes: $0), base: linkBase) }
                media.etag = etag
                entry.rest.media = media
            case .navigation, .association, .media:
                let number = name.map { texts.number(of: $0) } ?? -1
                if relation.kind == .navigation, name?.isEmpty == false {
                    linkName = number
                }
                if let href {
                    entry.addLink(number, href, base: linkBase, relation.linkKind)
                }
            case .next, .delta, .other: break
            }
        } else {
            let reference = href.map { URLReference(String(bytes: $0), base: linkBase) }
            guard reference != nil || !(relation.kind == .next || relation.kind == .delta) else {
                // Passed over, it would make this page the last one.
                throw Fault(.invalidXML, "a link of the feed has no href", offset: tokenizer.offset)
            }
            if relation.kind == .next {
                result.feed.nextLink = reference
            }
            if relation.kind == .delta {
                result.feed.deltaLink = reference
            }
        }
        // Most links are empty elements.
        guard tokenizer.readLeaf() == nil else { return }
        push(.link, base: linkBase)
        top.linkName = linkName
        top.isFeedLink = isFeed
    }

    /// Whether the media type of a link has the parameter type=feed, with any spacing and quotes.
    private static func leadsToFeed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        ContentType(String(bytes: bytes))["type"]?.lowercased() == "feed"
    }

    mutating func endEntry() throws(Fault) {
        var content = EntryContent(texts: texts.page)
        swap(&content, &entry)
        // While the entry was read its texts may have moved to a larger page.
        content.texts = texts.page
        depth -= 1
        if let checker {
            let expected = expectedTypes.removeLast()
            try checker.check(&content, texts: &texts, expected: expected, &declarations, at: tokenizer.offset)
            if !content.rest.annotations.isEmpty {
                content.rest.annotations.removeAll {
                    $0.name.utf8.starts(with: "atom:".utf8) || $0.name.utf8.starts(with: "author/".utf8)
                        || $0.name.utf8.starts(with: "contributor/".utf8)
                        || $0.name.utf8.starts(with: "feed:".utf8)
                }
            }
        }
        content.complete(with: texts.page)
        let done: ODataEntry
        if depth == 0 {
            done = pool.finish(content)
        } else {
            done = pool.finishNested(content)
            entry = outerEntries.removeLast().take(leaving: texts.page)
        }
        let parent = top
        switch parent.kind {
        case .document: result.finished = .entry(done)
        case .inline: entry.rest.navigation.append(ODataEntry.Navigation(texts.page[parent.linkName], .entry(done)))
        default: deliver(done)
        }
    }

    /// Returns an entry of the outermost feed to the caller; adds an entry of an inner feed to that feed.
    private mutating func deliver(_ entry: ODataEntry) {
        if depth == 0 {
            completed = .entry(entry)
        } else {
            result.feed.entries.append(entry)
        }
    }

    mutating func endFeed() throws(Fault) {
        guard let feed = result.feeds.popLast() else { return }
        guard feed.nextLink == nil || feed.deltaLink == nil else {
            throw Fault(.invalidXML, "a page must not have both a next link and a delta link", offset: tokenizer.offset)
        }
        let parent = top
        if parent.kind == .inline {
            entry.rest.navigation.append(ODataEntry.Navigation(texts.page[parent.linkName], .feed(feed)))
        } else {
            result.finished = .feed(feed)
        }
    }
}
