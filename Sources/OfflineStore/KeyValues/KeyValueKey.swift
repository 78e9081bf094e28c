import Soups

/// Checks the keys of a key-value store.
enum KeyValueKey {
    static let longest = 1024

    /// - Throws: `invalidKeyName`. The message does not hold the key.
    static func check(_ key: String) throws(Fault) {
        let count = key.utf8.count
        guard (1...longest).contains(count) else {
            throw Fault(.invalidKeyName, "a key of \(count) bytes: give 1 to \(longest) bytes of UTF-8")
        }
        guard !key.utf8.contains(0) else {
            throw Fault(.invalidKeyName, "a key must not contain NUL")
        }
    }
}
