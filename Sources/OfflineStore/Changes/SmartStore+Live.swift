public import Soups

extension SmartStore {
    /// Reads the entries that match a query of any kind but smart, and again when they have changed: at most `limit`,
    /// or all. Lists are compared by their bytes.
    ///
    /// ```swift
    /// for try await entries in store.liveQuery(.exact(path: "city", matchKey: "London"), in: "contacts") {
    ///     show(entries)
    /// }
    /// ```
    ///
    /// The values throw what reading throws: `soupNotFound` if there is no such soup when a value is read, also if it
    /// was removed since.
    public func liveQuery(
        _ spec: QuerySpec, in soup: String, limit: Int? = nil, otherProcesses: OtherProcesses = .ignored
    ) -> LiveValues<EntryList> {
        live(otherProcesses: otherProcesses) { try $0.entries(spec, in: soup, limit: limit) }
    }

    /// Reads all rows of a Smart SQL text, and again when any of the soups that it names has changed.
    ///
    /// The values throw what `StoreReader.rows(_:arguments:)` throws.
    public func liveRows(
        _ smartSql: String, arguments: [SQLValue] = [], otherProcesses: OtherProcesses = .ignored
    ) -> LiveValues<RowList> {
        live(otherProcesses: otherProcesses) { try $0.rows(smartSql, arguments: arguments) }
    }

    /// Counts the matches of a query of any kind but smart, and again when the number has changed.
    public func liveCount(
        _ spec: QuerySpec, in soup: String, otherProcesses: OtherProcesses = .ignored
    ) -> LiveValues<Int> {
        live(otherProcesses: otherProcesses) { try $0.count(spec, in: soup) }
    }

    /// Reads a value made of any number of reads of one state, and again when what they touched has changed. What they
    /// touch is noted while they run.
    ///
    /// ```swift
    /// let overview = store.live { reader in
    ///     (contacts: try reader.count(.all(), in: "contacts"), newest: try reader.retrieve(id: 1, from: "contacts"))
    /// }
    /// ```
    ///
    /// Each read gives a value, also an equal one. `read` runs on threads of the store, once for each value.
    ///
    /// The values throw what `read` throws.
    public func live<V: Sendable>(
        otherProcesses: OtherProcesses = .ignored, _ read: @escaping @Sendable (borrowing StoreReader) throws -> V
    ) -> LiveValues<V> {
        LiveValues { [self] in
            LiveReading(store: self, otherProcesses: otherProcesses) { try read($0) }
        }
    }

    /// Reads a value made of any number of reads of one state, and again when it has changed.
    ///
    /// The values throw what `read` throws.
    public func live<V: Sendable & Equatable>(
        otherProcesses: OtherProcesses = .ignored, _ read: @escaping @Sendable (borrowing StoreReader) throws -> V
    ) -> LiveValues<V> {
        live(otherProcesses: otherProcesses, read) { $0 }
    }

    /// Reads what can be compared, and makes the value of it only where it differs from the last one.
    func live<Raw: Sendable & Equatable, V: Sendable>(
        otherProcesses: OtherProcesses, _ read: @escaping @Sendable (borrowing StoreReader) throws -> Raw,
        making value: @escaping @Sendable (Raw) throws -> V
    ) -> LiveValues<V> {
        LiveValues { [self] in
            var last: Raw?
            return LiveReading(store: self, otherProcesses: otherProcesses) { reader in
                let raw = try read(reader)
                guard raw != last else { return nil }
                last = raw
                return try value(raw)
            }
        }
    }
}

extension LiveReading {
    static var isInTransaction: Fault {
        Fault(
            .busy, "a live value cannot start inside a transaction, whose changes are not committed: start it after it")
    }

    static var hasNoValue: Fault { Fault(.closed, "the first read of a live value gave none") }
}
