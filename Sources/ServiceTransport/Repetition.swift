/// Whether a request may be sent again when its answer was lost.
public enum Repetition: String, Sendable, Hashable, CaseIterable {
    /// The request only reads.
    case safe
    /// Sending it twice leaves the service as sending it once does: an update, an upsert, a deletion.
    case idempotent
    /// Sending it twice may do its work twice: a creation. A transport must never send it again by itself once a byte
    /// of it may have reached the service.
    case unsafe
}
