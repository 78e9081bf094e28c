/// Says how much of the -wal a checkpoint writes back.
public enum CheckpointMode: Sendable, Hashable {
    /// What can be written back without waiting.
    case passive
    /// Everything, waiting for writers and for readers of older states.
    case full
    /// As `full`, and the next writer begins the -wal from its start.
    case restart
    /// As `restart`, and the -wal is emptied.
    case truncate
}

/// Says what a checkpoint did.
public struct CheckpointResult: Sendable, Hashable {
    /// The number of frames in the -wal: pages as they were committed.
    public let frames: Int
    /// The number of frames that are in the file now.
    public let framesMoved: Int
    /// Whether a reader or writer was in the way of the rest.
    public let isBusy: Bool
}
