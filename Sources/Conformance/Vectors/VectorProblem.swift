/// A problem in a vector file: the file, the case, the key, and what is expected there.
public struct VectorProblem: Error, Sendable, Hashable, CustomStringConvertible {
    public let file: String
    /// The id of the case with the problem; nil outside of cases.
    public let caseID: String?
    /// The path of the value, such as `steps[2].returns.totalEntries`; empty for the file or case itself.
    public let key: String
    public let message: String

    public init(file: String, caseID: String? = nil, key: String, message: String) {
        self.file = file
        self.caseID = caseID
        self.key = key
        self.message = message
    }

    public var description: String {
        var parts = [file]
        if let caseID {
            parts.append("case \(caseID)")
        }
        if !key.isEmpty {
            parts.append(key)
        }
        return parts.joined(separator: ": ") + ": " + message
    }
}
