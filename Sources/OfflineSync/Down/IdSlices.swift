import SOQL
import ServiceTransport
import Soups

/// Cuts lists of ids into queries that are short enough for a URL.
struct IdSlices: Sendable {
    /// The most bytes of path and encoded query.
    static let greatestTarget = 16_000

    let count: Int
    /// The query before and behind the list of ids.
    let head: String
    let tail: String
    /// What the path and the rest of the encoded query take.
    private let fixed: Int

    init(count: Int, head: String, tail: String = "", context: DownContext) {
        self.count = count
        self.head = head
        self.tail = tail
        // A tail may be added later: a bound in time has less than 128 encoded bytes.
        fixed = context.query(head + tail).target.utf8.count + 128
    }

    /// How many of these ids make the next query, at least one.
    ///
    /// - Throws: `limitExceeded` if the first one alone is too long.
    func length(of ids: some Sequence<RecordId>) throws(Fault) -> Int {
        var length = 0
        var bytes = fixed
        for id in ids {
            guard length < count else { break }
            bytes += PercentEncoding.encoded(try SOQLLiteral.text(id.text) + ", ").utf8.count
            guard bytes <= Self.greatestTarget else {
                guard length > 0 else {
                    throw Fault(.limitExceeded, "an id is too long for a query")
                }
                break
            }
            length += 1
        }
        return length
    }

    /// The query for some ids.
    func query(_ ids: some Sequence<RecordId>, tail: String? = nil) throws(Fault) -> String {
        var literals: [String] = []
        for id in ids {
            literals.append(try SOQLLiteral.text(id.text))
        }
        return head + literals.joined(separator: ", ") + ")" + (tail ?? self.tail)
    }
}
