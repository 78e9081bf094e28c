/// The reason why a back end is not available, for example because SQLCipher is not installed.
public struct UnavailableBackEnd: Error, Sendable {
    public let reason: String
    public init(reason: String) { self.reason = reason }
}
