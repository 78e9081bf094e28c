import Soups

extension SmartStore {
    /// Watches what is committed in these soups, or in all, from now on.
    ///
    /// ```swift
    /// let changes = store.changes(in: ["contacts"])
    /// try await store.upsert([["name": "Ada"]], into: "contacts")
    /// for await delivery in changes {
    ///     names += delivery.map(\.soup)
    /// }
    /// ```
    ///
    /// A transaction is one unit: its soups come in one array. What is rolled back is never reported. A change is known
    /// before the call that made it returns. Names are compared by their bytes; a soup need not exist yet.
    ///
    /// With `.within` the call waits for a write of this store that is under way, and a thread of the process asks for
    /// commits of others in that interval.
    public func changes(in soups: [String]? = nil, otherProcesses: OtherProcesses = .ignored) -> StoreChanges {
        let interest: ChangeWatcher.Interest =
            soups.map { .soups(Array(Set($0.map { ByteKey($0) }))) } ?? .everything
        return StoreChanges { [weak connections, hub] in
            guard let connections else {
                return ChangeRegistration.ended(at: hub)
            }
            return connections.register(.collecting, interest, otherProcesses)
        }
    }

    var hub: ChangeHub { connections.hub }
}

extension StoreConnections {
    /// Registers a watcher of this store; one of a store that was closed has ended already.
    func register(
        _ purpose: ChangeWatcher.Purpose, _ interest: ChangeWatcher.Interest, _ otherProcesses: OtherProcesses
    ) -> ChangeRegistration {
        let watcher = ChangeWatcher(
            owner: ObjectIdentifier(self), purpose: purpose, interest: interest, otherProcesses: otherProcesses)
        // A live value does not wait: it is read once more after the first answer. A thread that reads must not wait
        // for a writer, which may wait to be alone.
        if otherProcesses.interval != nil, purpose == .collecting, gate.isWriter || !gate.isInside {
            hub.others.ask(self, tellingFirst: false, at: hub)
        }
        let registration = ChangeRegistration(watcher, at: hub)
        hub.others.add(watcher, of: self, at: hub)
        // Closing sets this first and then ends the watchers: either it finds this watcher, or it is found here.
        if wasClosed {
            hub.end(owner: ObjectIdentifier(self))
        }
        return registration
    }

    /// Tells the watchers of this store that anything may have changed: it has new connections.
    func tellEverything() {
        guard hub.isWatched else { return }
        let names = try? read { (session) throws(Fault) in try SoupReading.names(in: session.connection) }
        let owner = ObjectIdentifier(self)
        hub.publishAnything(.thisProcess, registered: names ?? []) { $0.owner == owner }
    }
}

extension ChangeRegistration {
    /// A registration of a store that no longer exists.
    static func ended(at hub: ChangeHub) -> ChangeRegistration {
        let watcher = ChangeWatcher(
            owner: ObjectIdentifier(hub), purpose: .collecting, interest: .soups([]), otherProcesses: .ignored)
        watcher.isEnded = true
        return ChangeRegistration(watcher, at: hub)
    }
}
