/// An expanded name (namespace and local part) in one tokenizer. Two names are equal if both parts are equal byte by
/// byte.
///
/// Indexes are consecutive from 0, so they can be used as indexes of tables.
@frozen public struct XMLName: Sendable, Hashable, BitwiseCopyable {
    public let index: Int32
    @usableFromInline init(index: Int32) { self.index = index }
}
