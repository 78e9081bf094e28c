/// Carries every problem of the files that were read, not only the first.
public struct BrokenVectors: Error, Sendable, CustomStringConvertible {
    public let problems: [VectorProblem]
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
