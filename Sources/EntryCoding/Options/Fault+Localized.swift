public import FoundationTypes
public import Soups

extension Fault: LocalizedError {
    /// The message, for developers and logs: it is English, and holds no key and no value. Apps switch over the codes
    /// for their users.
    public var errorDescription: String? { description }

    /// The name of the code.
    public var failureReason: String? { code.rawValue }

    /// What to do about a fault of this code.
    public var recoverySuggestion: String? { code.advice }
}
