/// Options for reading JSON texts: limits, and whether duplicate names are errors.
public struct JSONOptions: Sendable, Hashable {
    /// The maximum nesting depth of objects and arrays, clamped to 1...1024. A tree is released recursively; the limit
    /// ensures that this needs only a small stack.
    public var maximumDepth: Int {
        didSet { maximumDepth = Self.clamped(maximumDepth) }
    }

    /// The maximum number of bytes of a text.
    public var maximumLength: Int

    /// Whether duplicate member names (after decoding) in an object are an error. JSON allows them; a lookup then finds
    /// the last one.
    public var refusesDuplicateNames: Bool

    /// The greatest depth that a limit may have. Entries may be stored 512 levels deep, and what adds levels to one,
    /// such as the answer to a call, must still be readable.
    package static let greatestDepth = 1024

    /// Creates options; the maximum depth is clamped to 1...1024.
    public init(maximumDepth: Int = 512, maximumLength: Int = .max, refusesDuplicateNames: Bool = false) {
        self.maximumDepth = Self.clamped(maximumDepth)
        self.maximumLength = maximumLength
        self.refusesDuplicateNames = refusesDuplicateNames
    }

    /// Depth 512, any length, duplicate names accepted.
    public static let `default` = JSONOptions()

    /// Options for reading stored entries, and what has them inside: any depth that a limit may have.
    package static let storedEntry = JSONOptions(maximumDepth: greatestDepth)

    private static func clamped(_ depth: Int) -> Int { min(max(depth, 1), greatestDepth) }
}
