/// Holds one step: a call and what it must give.
public struct VectorStep: Sendable {
    public let call: VectorCall
    public let expectation: Expectation
    /// Keeps the result under this name for later steps.
    public let save: String?

    /// What a call must give.
    public enum Expectation: Sendable {
        /// It must merely succeed.
        case success
        case returns(Matcher)
        case fails(ExpectedFault)
    }
}
