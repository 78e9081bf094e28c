import StepCounting

extension String {
    /// Whether two texts have the same UTF-8 bytes. `==` compares by canonical equivalence, by which different names
    /// would be equal.
    @inline(__always)
    func hasBytes(of other: String) -> Bool {
        StepCounter.add()
        // `==` is fast, but also true for canonically equivalent texts, so the bytes decide.
        return utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
    }
}
