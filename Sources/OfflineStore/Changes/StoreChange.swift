/// Says what one or more commits changed in a soup.
///
/// ```swift
/// for await changes in store.changes(in: ["contacts"]) {
///     for change in changes where change.kinds.contains(.removed) {
///         log.write("\(change.soup): \(change.ids)")
///     }
/// }
/// ```
public struct StoreChange: Sendable, Hashable {
    /// Names what was done.
    public struct Kinds: OptionSet, Sendable, Hashable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Entries were added.
        public static let inserted = Kinds(rawValue: 1 << 0)
        /// Entries were written again, also with the same content.
        public static let updated = Kinds(rawValue: 1 << 1)
        /// Entries were removed by id or by query.
        public static let removed = Kinds(rawValue: 1 << 2)
        /// All entries were removed at once.
        public static let cleared = Kinds(rawValue: 1 << 3)
        /// The soup was registered.
        public static let registered = Kinds(rawValue: 1 << 4)
        /// The index specs or features were altered, or the index columns computed again.
        public static let altered = Kinds(rawValue: 1 << 5)
        /// The soup was removed.
        public static let dropped = Kinds(rawValue: 1 << 6)

        /// Every kind: reported where it is only known that something changed.
        static let every = Kinds(rawValue: (1 << 7) - 1)
    }

    /// Names the entries that were changed.
    public enum IDs: Sendable, Hashable {
        /// These entries, in ascending order.
        case some([Int64])
        /// Any of them.
        case all
    }

    /// Says who made the change.
    public enum Origin: Sendable, Hashable {
        /// A store object of this process.
        case thisProcess
        /// Another process, or another library in this process.
        case otherProcess
    }

    /// The name of the soup.
    public let soup: String
    /// What was done, as a union over all commits of the delivery.
    public let kinds: Kinds
    /// The entries concerned. `all` beyond 1,000 of them in one delivery, after clear, alter and drop, and for other
    /// processes.
    public let ids: IDs
    /// Who made the change.
    public let origin: Origin
}
