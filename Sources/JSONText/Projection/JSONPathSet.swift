/// Index paths that are compiled for one pass over a document. A common prefix of several paths is followed once.
///
/// A path is a list of keys separated by dots, without escapes, so a key with a dot in it cannot be reached
/// (SmartStore, index paths). The empty path means the whole document. Keys are compared by their bytes after the
/// escapes in the document are decoded.
public struct JSONPathSet: Sendable {
    /// The number of paths. Results are requested by the index in the given list.
    public let count: Int
    let trie: PathTrie

    /// Compiles paths. O(n) in the number of their bytes.
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
