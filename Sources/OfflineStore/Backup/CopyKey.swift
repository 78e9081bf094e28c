public import SQLiteAccess

/// Says which key a copy of a store has.
public enum CopyKey: Sendable {
    /// The key of the store that is copied, or none if it has none.
    case same
    /// No key: the copy is plain text.
    case plain
    /// Another key, and how the copy is encrypted.
    case key(Key, CipherSettings = CipherSettings())
}

extension StoreOptions {
    /// The options that open a copy with this key.
    func copied(with key: CopyKey) -> StoreOptions {
        var options = self
        switch key {
        case .same: break
        case .plain: options.key = nil
        case .key(let key, let cipher):
            options.key = key
            options.settings.cipher = cipher
        }
        return options
    }
}
