import JSONText
import Soups

/// The answer to a query or to a link: what it says besides its records.
struct QueryAnswer {
    /// How many records the query has in all; 0 if the service says nothing that can be read.
    let total: Int
    /// The next page; nil for the last one.
    let next: NextLink?

    /// Reads the members around the records.
    init(_ root: JSONNode, after former: NextLink?) throws(WrongForm) {
        let total = root["totalSize"]?.int64 ?? 0
        self.total = total > 0 ? Int(clamping: total) : 0
        switch root["nextRecordsUrl"] {
        case nil: next = nil
        case .some(let node) where node.isNull: next = nil
        case .some(let node):
            guard let text = node.string else { throw WrongForm("the link to the next page is not a text") }
            next = try NextLink(text, after: former)
        }
        if next == nil, root["done"]?.bool == false {
            throw WrongForm("the answer is not the last page, and names no next one")
        }
    }

    /// The array of records.
    static func records(_ root: JSONNode) throws(WrongForm) -> JSONNode {
        guard root.kind == .object else { throw WrongForm("the answer is not a JSON object") }
        guard let records = root["records"], records.kind == .array else {
            throw WrongForm("the answer has no array of records")
        }
        return records
    }

    /// Reads the ids of a page of records, and the link to the next page.
    static func ids(
        _ answer: CallAnswer, _ form: RecordForm, after former: NextLink?
    ) throws(Fault) -> (ids: [RecordId], next: NextLink?) {
        try answer.read { (bytes) throws(Fault) in
            try PageReader.reading(bytes) { (root) throws(WrongForm) in
                var ids: [RecordId] = []
                for record in try records(root).elements {
                    ids.append(try form.id(of: record))
                    try PageReader.check(count: ids.count)
                }
                let query = try QueryAnswer(root, after: former)
                try query.next?.note(pageIsEmpty: ids.isEmpty)
                return (ids, query.next)
            }
        }
    }

    /// Reads a page of records.
    static func page(_ answer: CallAnswer, _ form: RecordForm, after former: NextLink?) throws(Fault) -> DownPage {
        try answer.read { (bytes) throws(Fault) in
            try PageReader.reading(bytes) { (root) throws(WrongForm) in
                let records = try records(root)
                let query = try QueryAnswer(root, after: former)
                var page = try PageReader(form).records(records, bytes)
                try query.next?.note(pageIsEmpty: page.records.isEmpty)
                page.total = query.total
                page.continuation = query.next
                page.isLast = query.next == nil
                return page
            }
        }
    }
}
