/// Holds what has been read of an Atom document so far, except the entry that is being read.
struct AtomResult {
    /// The payload, once the document is read.
    var finished: ODataPayload?
    /// The context URL of the root element.
    var context: String?
    /// The feeds that are being read, the innermost last.
    var feeds: [ODataFeed] = []
    var error = ODataPayload.ErrorBody()
    var service = Service()
    var links = Links()

    /// The innermost feed. There must be one.
    var feed: ODataFeed {
        get { feeds[feeds.count - 1] }
        _modify { yield &feeds[feeds.count - 1] }
    }

    /// A service document, and the collection that is being read.
    struct Service {
        var document = ODataPayload.ServiceDocument()
        var url: URLReference?
        var title = ""
        /// The name that version 4 states next to the title.
        var name = ""
        var kind = "EntitySet"

        mutating func begin(kind: String) {
            self.kind = kind
            title = ""
            name = ""
            url = nil
        }

        /// Adds the collection. Up to version 3 the title is the name of the set. Without a title the URL is.
        mutating func end(base: BaseURL?) {
            let url = url ?? URLReference("", base: base)
            document.sets.append(
                ODataPayload.ServiceDocument.Member(
                    name: [name, title].first { !$0.isEmpty } ?? url.text, title: title, url: url, kind: kind))
        }
    }

    /// A list of links to entities.
    struct Links {
        var references: [URLReference] = []
        var count: Int64?
        var next: URLReference?

        var payload: ODataPayload { .links(references, count: count, nextLink: next) }
    }
}
