/// Says why a back end cannot be used here, for instance because there is no SQLCipher.
public struct UnavailableBackEnd: Error, Sendable {
    public let reason: String
    public init(reason: String) { self.reason = reason }
}
