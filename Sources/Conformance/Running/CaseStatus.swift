/// Says how a case ended on a back end; the names are those of the report.
public enum CaseStatus: String, Sendable, Hashable, CaseIterable {
    case pass, fail, skip, error
    case expectedFail = "expected-fail"
    case unexpectedPass = "unexpected-pass"
    case crash, timeout

    /// Whether it makes a run red.
    public var isRed: Bool {
        switch self {
        case .pass, .skip, .expectedFail: false
        case .fail, .error, .unexpectedPass, .crash, .timeout: true
        }
    }

    /// Whether the case's steps ran at all.
    public var isExecuted: Bool { self != .skip }
}
