public import Soups

/// How a load ended.
public struct LoadResult: Sendable {
    /// Done, stopped or failed.
    public let status: RunStatus
    /// Why it failed.
    public let fault: Fault?
    /// What it did.
    public let summary: LoadSummary
    /// Whether the service gave a link to later changes.
    public let hasDeltaLink: Bool
}
