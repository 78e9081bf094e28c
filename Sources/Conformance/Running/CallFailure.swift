public import Soups

/// The reason why a call has no result.
public enum CallFailure: Error, Sendable, Hashable {
    /// A typed error, which a vector may expect.
    case fault(Fault)
    /// The other program ended; the text describes how.
    case crash(String)
    /// The call did not finish in time. The back end is not used again.
    case timeout(seconds: Int)
    /// The answer does not conform to the contract, or is an error without a type.
    case broken(String)
}
