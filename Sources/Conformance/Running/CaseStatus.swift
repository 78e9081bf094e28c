/// The status of a case on a back end, with the names of the report.
public enum CaseStatus: String, Sendable, Hashable, CaseIterable {
    case pass, fail, skip, error
    case expectedFail = "expected-fail"
    case unexpectedPass = "unexpected-pass"
    case crash, timeout

    /// Whether the status makes a run fail.
    public var isRed: Bool {
        switch self {
        case .pass, .skip, .expectedFail: false
        case .fail, .error, .unexpectedPass, .crash, .timeout: true
        }
    }

    /// Whether the steps of the case were run.
    public var isExecuted: Bool { self != .skip }
}
