public import Soups

/// Says why a call gave no result.
public enum CallFailure: Error, Sendable, Hashable {
    /// A typed error: what a vector may expect.
    case fault(Fault)
    /// The other program ended; the text says how.
    case crash(String)
    /// The call did not come back in time; the back end is not used again.
    case timeout(seconds: Int)
    /// The answer was none of the contract, or an error without a type.
    case broken(String)
}
