/// One row of the report.
public struct CaseResult: Sendable, Hashable {
    public let id: String
    public let area: String
    public let backEnd: String
    public var status: CaseStatus
    /// The code of the fault that decided the result; empty if there was none.
    public var code: String
    /// The difference, the reason of a skip, or which alternatives matched.
    public var detail: String
    public let milliseconds: Double

    public init(
        id: String, area: String, backEnd: String, status: CaseStatus, code: String = "", detail: String = "",
        milliseconds: Double = 0
    ) {
        self.id = id
        self.area = area
        self.backEnd = backEnd
        self.status = status
        self.code = code
        self.detail = detail
        self.milliseconds = milliseconds
    }
}

extension CaseResult {
    static let neverRan = "listed as an expected failure, but it never ran"

    /// Whether it says that a listed case did not run.
    var isNeverRun: Bool { status == .error && detail == Self.neverRan }
}
