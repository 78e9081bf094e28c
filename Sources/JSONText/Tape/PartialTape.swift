/// Reads an object into a tape only as far as the values of some members need it.
///
/// For texts that were checked before: what follows the last of the members is not looked at, and no name may be in the
/// outermost object twice. Nodes are valid as those of `JSONTape`. The root has the members that were read.
package final class PartialTape {
    private var builder: PartialTapeBuilder
    private let maximumDepth: Int
    private var root: JSONNode?

    /// - Parameter names: The names of the members. Looking for them is linear in their number for each member read.
    package init(names: [String], maximumDepth: Int) {
        builder = PartialTapeBuilder(names: names.map { Array($0.utf8) }, capacity: 64)
        self.maximumDepth = maximumDepth
    }

    /// Reads a text of at most 4 GiB.
    ///
    /// - Throws: what is wrong before the last of the members ends.
    package func read(_ text: UnsafeRawBufferPointer) throws(JSONError) {
        root = nil
        guard let base = text.bindMemory(to: UInt8.self).baseAddress, text.count <= Int(UInt32.max) else {
            throw JSONError(ScanFailure(text.isEmpty ? .emptyText : .tooLong, at: 0))
        }
        var scanner = ByteScanner(base: base, count: text.count)
        builder.begin()
        do throws(ScanFailure) {
            try scanner.begin()
            try GrammarWalker.walk(&scanner, &builder, maximumDepth: maximumDepth)
            try scanner.finish()
        } catch {
            guard builder.isComplete else {
                throw JSONError(error)
            }
        }
        root = JSONNode(text: base, nodes: UnsafePointer(builder.tape.nodes.base), index: 0)
    }

    /// The object that was read last; valid as long as this object exists and has not read another text.
    package var node: JSONNode {
        guard let root else {
            preconditionFailure("the tape is empty; read a text first")
        }
        return root
    }
}
