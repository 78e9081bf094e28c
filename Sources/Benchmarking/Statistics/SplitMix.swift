/// Draws the same numbers from the same seed on every machine and in every version. Source: Steele, Lea & Flood 2014
/// (SplitMix64).
package struct SplitMix: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to `bound`, not including it. Does not use the standard library's method, which may change.
    package mutating func next(below bound: UInt64) -> UInt64 {
        bound == 0 ? 0 : next().multipliedFullWidth(by: bound).high
    }

    /// Brings the elements into a random order. Does not use the standard library's method, which may change.
    package mutating func shuffle<Element>(_ elements: inout [Element]) {
        for index in elements.indices.reversed() {
            elements.swapAt(index, Int(next(below: UInt64(index + 1))))
        }
    }

    /// A number from 0 up to 1, not including it.
    package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
