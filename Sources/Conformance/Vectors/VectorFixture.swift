/// Names the soups to register and the entries to load before a case's first step.
public struct VectorFixture: Sendable {
    public let name: String
    /// The calls that set it up, in order: a `registerSoup` for each soup, then an `upsertSoupEntries` for each that
    /// has entries.
    public let calls: [VectorCall]
}
