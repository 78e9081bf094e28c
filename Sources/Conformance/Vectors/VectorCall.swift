public import JSONText

/// One call of a back end: its name and its arguments as written in the file.
public struct VectorCall: Sendable {
    public let name: String
    public let arguments: JSONObject
}
