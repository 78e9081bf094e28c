import Soups

/// The text of a clause: a part of the query that was read, and what was put before and after it. That part may be
/// most of a long query, and is copied only when the query is printed.
///
/// A class, so that a query with other clauses shares those that stay by one reference each.
final class SOQLClauseText: Sendable {
    private let core: SOQLText
    private let front: [UInt8]
    private let back: [UInt8]
    /// The number of bytes.
    let count: Int

    init(_ core: SOQLText, front: [UInt8] = [], back: [UInt8] = []) {
        self.core = core
        self.front = front
        self.back = back
        count = front.count + core.content.count + back.count
    }

    /// Puts another text and a separator before this one, and an end after it. The other text has no blanks at its
    /// ends, and what is in quotes and parentheses is closed in it.
    ///
    /// - Throws: `limitExceeded`.
    func following(
        _ other: SOQLClauseText, _ separator: StaticString, end: StaticString = ""
    ) throws(Fault) -> SOQLClauseText {
        var front: [UInt8] = []
        front.reserveCapacity(other.count + separator.utf8CodeUnitCount + self.front.count)
        front += other.front
        front += other.core.content
        front += other.back
        front += UnsafeBufferPointer(start: separator.utf8Start, count: separator.utf8CodeUnitCount)
        front += self.front
        var back = back
        back += UnsafeBufferPointer(start: end.utf8Start, count: end.utf8CodeUnitCount)
        let text = SOQLClauseText(core, front: front, back: back)
        try SOQLText.check(length: text.count)
        return text
    }

    var isEmpty: Bool { count == 0 }

    var bytes: [UInt8] { front + core.content + back }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The text with its tokens. Takes time linear in its length if something was put to it.
    var tokens: SOQLText {
        get throws(Fault) { front.isEmpty && back.isEmpty ? core : try SOQLText(bytes) }
    }

    /// Copies the bytes into memory from an offset on; returns the offset after them.
    func copy(to buffer: UnsafeMutableBufferPointer<UInt8>, at offset: Int) -> Int {
        var end = buffer[offset...].update(fromContentsOf: front)
        end = buffer[end...].update(fromContentsOf: core.content)
        return buffer[end...].update(fromContentsOf: back)
    }
}
