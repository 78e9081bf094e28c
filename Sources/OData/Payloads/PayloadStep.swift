/// The next step of a payload reader. Entries and links of a delta are returned one by one, everything else at the end.
public enum PayloadStep: Sendable {
    /// An entry of the outermost feed. The entry is complete; the feed is complete only after `end`.
    case entry(ODataEntry)
    /// A link that a delta adds or removes. Entries and links come in the order of the payload, in which they must be
    /// applied.
    case link(ODataFeed.DeltaLink)
    /// The reader needs more bytes: call `append`, or `finish` if there are no more.
    case needsInput
    /// The end of the body. A feed does not include the entries and links that were already returned.
    indirect case end(ODataPayload)
}
