public import JSONText

/// One call of a back end: a name of the contract and its arguments, as written.
public struct VectorCall: Sendable {
    public let name: String
    public let arguments: JSONObject
}
