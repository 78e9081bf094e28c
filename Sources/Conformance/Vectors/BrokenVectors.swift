/// All problems of the vector files, not only the first one.
public struct BrokenVectors: Error, Sendable, CustomStringConvertible {
    public let problems: [VectorProblem]
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
