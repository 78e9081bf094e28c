import Soups
import StepCounting

extension String {
    /// Whether two texts have the same UTF-8 bytes. `==` compares by canonical equivalence, by which different names
    /// would be equal.
    @inline(__always)
    func hasBytes(of other: String) -> Bool {
        StepCounter.add()
        return utf8.count == other.utf8.count && ByteKey(self) == ByteKey(other)
    }
}
