/// Stands for one expanded name (namespace and local part) within one tokenizer: two are equal exactly when both parts are, byte by byte.
///
/// The index counts from 0 in the order in which names were first met, so tables can be indexed by it.
public struct XMLName: Sendable, Hashable {
    public let index: Int32
    init(index: Int32) { self.index = index }
}
