/// One step: a call and its expected result.
public struct VectorStep: Sendable {
    public let call: VectorCall
    public let expectation: Expectation
    /// The name under which the result is saved for later steps.
    public let save: String?

    /// The expected result of a call.
    public enum Expectation: Sendable {
        /// Any result without a fault.
        case success
        case returns(Matcher)
        case fails(ExpectedFault)
    }
}
