/// A record of a page, as a part of the page's bytes.
public struct DownRecord: Sendable {
    /// Where its object is in the bytes of the page.
    public let range: Range<Int>
    /// Its id.
    public let id: RecordId
    /// Its date of modification in milliseconds since 1970; nil if it has none that can be read.
    public let modified: Int64?
    /// The members that are not saved, each with the comma before or after it, in order.
    let dropped: [Range<Int>]
    /// Whether nothing is left of it without those.
    let isEmpty: Bool
    /// A member that is saved besides, with a comma after it; empty for none.
    let added: [UInt8]
}
