/// Sets what a JSON text may look like beyond the grammar, and how large it may be.
public struct JSONOptions: Sendable, Hashable {
    /// How many objects and arrays may be open at once: 1 to 1024, values outside are moved to the nearest end. The
    /// limit is what keeps the release of a tree, which is recursive, within a small stack.
    public var maximumDepth: Int {
        didSet { maximumDepth = Self.clamped(maximumDepth) }
    }

    /// How many bytes a text may have.
    public var maximumLength: Int

    /// Whether an object with two members of one (decoded) name is an error. JSON itself leaves it open; the last one
    /// is found then.
    public var refusesDuplicateNames: Bool

    public init(maximumDepth: Int = 512, maximumLength: Int = .max, refusesDuplicateNames: Bool = false) {
        self.maximumDepth = Self.clamped(maximumDepth)
        self.maximumLength = maximumLength
        self.refusesDuplicateNames = refusesDuplicateNames
    }

    /// Depth 512, any length, duplicate names accepted.
    public static let `default` = JSONOptions()

    private static func clamped(_ depth: Int) -> Int { min(max(depth, 1), 1024) }
}
