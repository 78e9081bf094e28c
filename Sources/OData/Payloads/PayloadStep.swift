/// Says what a reader of a payload has next: entries come one by one, everything else with the end.
public enum PayloadStep: Sendable {
    /// An entry of the outermost feed. It is complete, but the feed is not before `end`.
    case entry(ODataEntry)
    /// All bytes that have arrived are read: append more, or say that there are none.
    case needsInput
    /// The body was read whole. A feed is without the entries that were given out before.
    indirect case end(ODataPayload)
}
