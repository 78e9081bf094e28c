/// How a push sends changes.
public enum PushMode: String, Sendable, Hashable, CaseIterable {
    /// One request for each change.
    case single
    /// Several changes in one request.
    case batch
}
