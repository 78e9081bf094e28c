import Platform
import SQLiteAccess
public import Soups

// MARK: - Key-value stores
extension StoreDirectory {
    /// Returns a key-value store, opening or creating it if needed. Waits while another thread opens or removes it.
    ///
    /// ```swift
    /// let values = try stores.keyValueStore(.init("settings"))
    /// try values.set("dark", for: "appearance")
    /// ```
    ///
    /// Its names are apart from those of the other stores; the closure that gives options is asked for a store of the
    /// same name. On the disk: `global/kv/<name>/values.db` and `users/<user>/kv/<name>/values.db`.
    ///
    /// - Throws: `invalidStoreName`; `busy` inside the closure that gives this store's options, or inside a call of
    ///   another key-value store while all are being removed; what the closure and opening throw.
    public func keyValueStore(_ name: StoreName = StoreName()) throws(Fault) -> KeyValueStore {
        let folder = try keyValueFolder(of: name)
        if let known = keyValues.opened(name) {
            return known
        }
        return try claims.holding(.store(.init(name: name, hasValues: true)), inside: storesOfCaller) {
            () throws(Fault) in
            if let known = keyValues.opened(name) {
                return known
            }
            try suspension.check()
            let options = try optionsOf(name)
            if options.access == .create {
                try Folder.makeForStore(folder)
            }
            let opened = try KeyValueStore(path: Self.valuesFile(in: folder), options: options)
            keyValues.keep(opened, name)
            return opened
        }
    }

    /// Returns whether a key-value store has a file, open or not.
    ///
    /// - Throws: `invalidStoreName`.
    public func keyValueStoreExists(_ name: StoreName) throws(Fault) -> Bool {
        File.exists(Self.valuesFile(in: try keyValueFolder(of: name)))
    }

    /// Returns the names of all existing key-value stores, in the order of their bytes.
    public func keyValueStoreNames(global: Bool) -> [String] {
        let home = keyValueHome(global: global)
        return Folder.names(in: home).filter { File.exists(Self.valuesFile(in: "\(home)/\($0)")) }.compactMap(
            FolderName.decode
        )
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Closes a key-value store and removes its files; does nothing if it does not exist.
    ///
    /// Store objects that were returned before throw `closed` from then on.
    ///
    /// - Throws: `invalidStoreName`; `busy` if the caller is inside a call of the store, or inside the closure that
    ///   gives its options; `inputOutput` if its files cannot be removed.
    public func removeKeyValueStore(_ name: StoreName) throws(Fault) {
        let folder = try keyValueFolder(of: name)
        try refuseInsideKeyValues { $0 == name }
        try claims.holding(.store(.init(name: name, hasValues: true)), inside: storesOfCaller) { () throws(Fault) in
            try keyValues.closeNow(name, claims)
            try Self.removeFiles(folder)
        }
    }

    /// Removes all key-value stores of the user, or all global ones, as `removeKeyValueStore` does for one.
    ///
    /// - Throws: as `removeKeyValueStore`.
    public func removeAllKeyValueStores(global: Bool) throws(Fault) {
        let group = StoreClaims.Group(isGlobal: global, hasValues: true)
        try claims.refuseHolders(group)
        try refuseInsideKeyValues { $0.isGlobal == global }
        try claims.holding(.all(group), inside: storesOfCaller) { () throws(Fault) in
            for name in keyValues.names(global: global) {
                try keyValues.closeNow(name, claims)
            }
            try Self.removeFiles(keyValueHome(global: global))
        }
    }

    /// Closes every open key-value store.
    func closeKeyValueStores() throws(Fault) {
        try claims.refuseHolders()
        try refuseInsideKeyValues { _ in true }
        for name in keyValueNamesInUse() {
            try claims.holding(.store(.init(name: name, hasValues: true)), inside: storesOfCaller) { () throws(Fault) in
                try keyValues.closeNow(name, claims)
            }
        }
    }

    /// The key-value stores that are open or being opened now.
    func keyValueNamesInUse() -> Set<StoreName> { Set(keyValues.names()).union(claims.claimed(hasValues: true)) }

    /// Throws `busy` if the calling thread is inside a call of one of these stores.
    func refuseInsideKeyValues(_ isMeant: (StoreName) -> Bool) throws(Fault) {
        if keyValues.isInside(isMeant) {
            throw Fault(
                .busy, "a transaction, a reading call or a backup cannot close, remove or suspend its own store")
        }
    }

    private func keyValueHome(global: Bool) -> String { owner(global: global) + "/kv" }

    private func keyValueFolder(of name: StoreName) throws(Fault) -> String {
        keyValueHome(global: name.isGlobal) + "/" + (try Self.folderName(of: name))
    }

    private static func valuesFile(in folder: String) -> String { folder + "/values.db" }
}
