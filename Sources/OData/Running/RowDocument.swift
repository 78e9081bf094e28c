package import JSONText

/// A text that stays in memory: its bytes, and its tape once a node of it is looked at. Used by one thread.
package final class RowDocument: @unchecked Sendable {
    private var text: UnsafeMutableRawBufferPointer
    /// How many bytes of the memory are the text.
    private var count: Int
    private var tape: JSONTape?

    /// Copies and reads the text of a row. Throws what reading a tape throws.
    package convenience init(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        self.init(checked: bytes)
        _ = try read()
    }

    /// Copies the text of a row that a tape with the options for stored entries has read.
    package init(checked bytes: UnsafeRawBufferPointer) {
        text = .allocate(byteCount: bytes.count, alignment: 1)
        text.copyMemory(from: bytes)
        count = bytes.count
    }

    /// Creates a document without a text, for a text that is appended piece by piece.
    package init() {
        text = .allocate(byteCount: 0, alignment: 1)
        count = 0
    }

    deinit { text.deallocate() }

    /// Appends a byte, and bytes if there are any. No node of the document may have been looked at.
    package func append(_ byte: UInt8, _ bytes: UnsafeRawBufferPointer = .init(start: nil, count: 0)) {
        let end = count + 1 + bytes.count
        if end > text.count {
            // Small texts grow faster: most stay small, and growing copies them.
            enlarge(to: max(end, (text.count < 1 << 20 ? 4 : 2) * text.count))
        }
        text[count] = byte
        UnsafeMutableRawBufferPointer(rebasing: text[(count + 1)...]).copyMemory(from: bytes)
        count = end
    }

    private func enlarge(to size: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        larger.copyMemory(from: bytes)
        text.deallocate()
        text = larger
    }

    /// The row as a node, which keeps the document.
    package var root: RowNode { RowNode(rootOf: self) }

    /// The text.
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: text[..<count]) }

    var node: JSONNode {
        do throws(JSONError) {
            let tape = if let tape { tape } else { try read() }
            return tape.withRoot { $0 }
        } catch {
            preconditionFailure("a text that was checked is not valid JSON: \(error.message)")
        }
    }

    private func read() throws(JSONError) -> JSONTape {
        // A value takes two bytes at least, and most take more than four.
        let tape = JSONTape(options: .storedEntry, capacity: min(32, 1 + count / 4))
        try tape.read(bytes)
        self.tape = tape
        return tape
    }
}
