/// The two names that followed another name most recently.
struct Successors: BitwiseCopyable {
    var first: Int32 = -1
    var second: Int32 = -1

    @inline(__always) mutating func note(_ name: Int32) {
        if name == first {
            return
        }
        second = first
        first = name
    }
}
