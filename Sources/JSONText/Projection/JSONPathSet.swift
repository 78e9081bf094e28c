/// Index paths compiled for one pass over a document: common beginnings are followed once.
///
/// A path is keys separated by dots, without any escaping; a key that holds a dot cannot be reached (SmartStore, index
/// paths). The empty path means the whole document. Keys are compared by their bytes, after decoding the document's
/// escapes.
public struct JSONPathSet: Sendable {
    /// How many paths there are; results are asked for by their place in the list given.
    public let count: Int
    let trie: PathTrie

    /// Compiles paths. Linear in their bytes.
    public init(_ paths: [String]) { self.init(paths, systemNames: []) }

    /// The system names come after the paths; they are members of the outermost object.
    init(_ paths: [String], systemNames: [String]) {
        count = paths.count
        var trie = PathTrie()
        for (index, path) in paths.enumerated() {
            trie.insert(
                path.isEmpty ? [] : path.utf8.split(separator: 0x2E, omittingEmptySubsequences: false).map(Array.init),
                path: index)
        }
        for (index, name) in systemNames.enumerated() {
            trie.insert([Array(name.utf8)], path: paths.count + index, isSystem: true)
        }
        trie.number()
        self.trie = trie
    }
}
