/// Says how far loading has come, and at the end what was loaded.
public struct LoadProgress: Sendable, Hashable {
    /// The number of entries that are committed.
    public var entries = 0
    /// The number of lines read, including blank ones.
    public var lines = 0

    package init(entries: Int = 0, lines: Int = 0) {
        self.entries = entries
        self.lines = lines
    }
}
