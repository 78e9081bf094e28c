/// Removes the temporary folders of back ends that `close` cannot remove: those of a process that is about to end, and
/// those that killed processes left.
public enum TemporaryStores {
    /// Removes the folders of this process, which must end soon: from now on calls of a `StoreBackEnd` block for ever.
    ///
    /// Waits up to 3 seconds for calls in progress. May be called from any thread.
    public static func removeOwn() { WorkFolder.removeAll() }

    /// Removes the folders of processes that have ended, and returns their paths. May be called from any thread.
    public static func removeLeftOver() -> [String] { WorkFolder.removeLeftOver() }
}
