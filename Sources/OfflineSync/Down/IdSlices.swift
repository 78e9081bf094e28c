import SOQL
import ServiceTransport
import Soups

/// Cuts lists of ids into queries that are short enough for a URL.
struct IdSlices: Sendable {
    /// What path and encoded query stay below, in bytes.
    static let targetLimit = 16_000
    private static let separator = ", "

    let count: Int
    /// The query before and after the list of ids.
    let head: String
    let tail: String
    /// What the path and the encoded query without ids and tail take.
    private let fixed: Int

    init(count: Int, head: String, tail: String = "", context: DownContext) {
        self.count = count
        self.head = head
        self.tail = tail
        fixed = context.query(head + ")").target.utf8.count
    }

    /// How many of these ids make the next query, at least one.
    ///
    /// - Parameter tail: The text after the list of ids, instead of the common tail.
    /// - Throws: `limitExceeded` if the first one alone is too long.
    func length(of ids: some Sequence<RecordId>, tail: String? = nil) throws(Fault) -> Int {
        var length = 0
        var bytes = fixed + PercentEncoding.encoded(tail ?? self.tail).utf8.count
        for id in ids {
            guard length < count else { break }
            let before = length > 0 ? Self.separator : ""
            bytes += PercentEncoding.encoded(before + (try SOQLLiteral.text(id.text))).utf8.count
            guard bytes < Self.targetLimit else {
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
        return head + literals.joined(separator: Self.separator) + ")" + (tail ?? self.tail)
    }
}
