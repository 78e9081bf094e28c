/// The id of a record that the service does not know yet: `local_` and 32 lower-case hexadecimal digits.
public enum LocalId {
    /// What every local id begins with.
    public static let prefix = "local_"

    /// Creates a local id from the next UUID.
    public static func next(from uuids: UUIDSource) -> String { prefix + uuids.next() }

    /// Says whether an id is a local one. The prefix alone decides: other implementations continue it otherwise.
    public static func isLocal(_ id: String) -> Bool { id.utf8.starts(with: prefix.utf8) }
}
