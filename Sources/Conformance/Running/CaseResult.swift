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

/// Holds one row of the report.
public struct CaseResult: Sendable, Hashable {
    public let id: String
    public let area: String
    public let backend: String
    public var status: CaseStatus
    /// The code of the fault that decided, where one did.
    public var code: String
    /// The difference, the reason of a skip, or which alternatives matched.
    public var detail: String
    public let milliseconds: Double

    public init(
        id: String, area: String, backend: String, status: CaseStatus, code: String = "", detail: String = "",
        milliseconds: Double = 0
    ) {
        self.id = id
        self.area = area
        self.backend = backend
        self.status = status
        self.code = code
        self.detail = detail
        self.milliseconds = milliseconds
    }
}
