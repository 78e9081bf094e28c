/// The next step of a payload reader. Entries are returned one by one, everything else at the end.
public enum PayloadStep: Sendable {
    /// An entry of the outermost feed. The entry is complete; the feed is complete only after `end`.
    case entry(ODataEntry)
    /// The reader needs more bytes: call `append`, or `finish` if there are no more.
    case needsInput
    /// The end of the body. A feed does not include the entries that were already returned.
    indirect case end(ODataPayload)
}
