/// Stands for one expanded name (namespace and local part) within one tokenizer: two are equal exactly when both parts
/// are, byte by byte.
///
/// The index counts from 0 in the order in which names were first met, so tables can be indexed by it.
@frozen public struct XMLName: Sendable, Hashable, BitwiseCopyable {
    public let index: Int32
    @usableFromInline init(index: Int32) { self.index = index }
}
