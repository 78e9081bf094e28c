/// Says how far a copy of a store has come.
public struct CopyProgress: Sendable, Hashable {
    /// What is done now.
    public enum Phase: String, Sendable, Hashable {
        /// Copying the database.
        case copying
        /// Encrypting the files of external entries again, or writing them without encryption.
        case files
        /// Reading the whole copy.
        case checking
    }

    /// What is done now.
    public let phase: Phase
    /// The part of the phase that is done: pages of the database, files of entries, or 0 if that is not known before
    /// the end.
    public let done: Int
    /// The whole phase in the same unit; 0 if that is not known.
    public let total: Int
}
