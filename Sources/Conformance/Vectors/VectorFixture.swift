/// The soups to register and the entries to load before the first step of a case.
public struct VectorFixture: Sendable {
    public let name: String
    /// The calls that create the fixture, in order: a `registerSoup` for each soup, then an `upsertSoupEntries` for
    /// each that has entries.
    public let calls: [VectorCall]
}
