extension SmartStore {
    /// The options with which the store was opened last.
    package var options: StoreOptions { connections.options }
}
