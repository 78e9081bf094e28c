/// A part of a collected array: the start or end of an array, or a value.
struct CollectedPart: BitwiseCopyable {
    enum Kind: UInt8 { case begin, end, value, escapedValue, container }

    let kind: Kind
    let start: Int
    let end: Int
    var next: Int32 = -1
}
