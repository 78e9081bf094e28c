import SQLiteAccess
public import Soups
import Synchronization

/// Owns the stores below one folder: those of one user, and the global ones that outlive every user.
///
/// A store is opened when it is first asked for, and the same object is given each time. Names are data: they become
/// folder names by an encoding that nothing can escape from. On the disk: `global/stores/<name>/store.db` and
/// `users/<user>/stores/<name>/store.db`.
///
/// Safe to use from any thread. A store is opened, closed or removed by one thread at a time, while calls about other
/// stores go on. One object for each folder and user: two would not know of each other's stores.
public final class StoreDirectory: Sendable {
    /// The name of the store that is meant where none is named.
    public static let defaultStoreName = "defaultStore"

    /// Names one store of a directory.
    public struct StoreName: Sendable, Hashable {
        public let name: String
        public let isGlobal: Bool

        public init(_ name: String = StoreDirectory.defaultStoreName, isGlobal: Bool = false) {
            self.name = name
            self.isGlobal = isGlobal
        }

        public static func == (a: StoreName, b: StoreName) -> Bool {
            a.isGlobal == b.isGlobal && ByteKey(a.name) == ByteKey(b.name)
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(isGlobal)
            hasher.combine(ByteKey(name))
        }
    }

    public let root: String
    public let user: String
    private let options: @Sendable (StoreName) throws -> StoreOptions
    private let open = Mutex<[StoreName: SmartStore]>([:])
    /// Held while a store is opened, closed or removed; `open` is never locked meanwhile.
    private let claims = StoreClaims()

    /// Takes the folder and the user; nothing is made yet.
    ///
    /// - Parameters:
    ///   - root: The folder below which all users and their stores lie.
    ///   - user: Any text but the empty one, for example organisation, user and community.
    ///   - options: Asked whenever a store is opened: each may have a key of its own. It runs on the thread that asked
    ///     for the store, and may call the directory, but not about the store that is being opened: such calls throw
    ///     `busy`.
    /// - Throws: `invalidStoreName` where the user is empty.
    public init(
        root: String, user: String, options: @escaping @Sendable (StoreName) throws -> StoreOptions
    ) throws(Fault) {
        guard !user.isEmpty else {
            throw Fault(.invalidStoreName, "a user needs a name")
        }
        self.root = root
        self.user = user
        self.options = options
    }

    // MARK: - Opening

    /// Gives a store, opening or making it where needed. Waits while another thread opens or removes that store.
    ///
    /// - Throws: `invalidStoreName`; `busy` inside the closure that gives this store's options; what the closure and
    ///   opening throw.
    public func store(_ store: StoreName = StoreName()) throws(Fault) -> SmartStore {
        let folder = try folder(of: store)
        if let known = opened(store) {
            return known
        }
        return try claims.holding(.store(store)) { () throws(Fault) in
            if let known = opened(store) {
                return known
            }
            let options = try optionsOf(store)
            if options.access == .create {
                try FileSystem.makeFolder(folder)
            }
            let opened = try SmartStore(path: Self.file(in: folder), options: options)
            open.withLock { $0[store] = opened }
            return opened
        }
    }

    private func opened(_ store: StoreName) -> SmartStore? {
        guard let known = open.withLock({ $0[store] }), !known.wasClosed else { return nil }
        return known
    }

    private func optionsOf(_ store: StoreName) throws(Fault) -> StoreOptions {
        do {
            return try options(store)
        } catch {
            throw error as? Fault
                ?? Fault(.inputOutput, "the options of a store are not to be had", context: [.store(store.name)])
        }
    }

    /// Closes every store that is open, and waits for those that are being opened.
    ///
    /// - Throws: `busy` where the caller is inside a call of one of them, or inside the closure that gives options.
    ///   Stores closed before stay closed.
    public func close() throws(Fault) {
        try claims.refuseHolders()
        let names = open.withLock { Set($0.keys) }.union(claims.claimedStores)
        for name in names {
            try claims.holding(.store(name)) { () throws(Fault) in try closeNow(name) }
        }
    }

    /// Closes a store and forgets it; one that cannot be closed stays. To be called with the claim to it.
    private func closeNow(_ store: StoreName) throws(Fault) {
        try open.withLock({ $0[store] })?.close()
        open.withLock { $0[store] = nil }
    }

    // MARK: - Listing

    /// Tells whether a store has a file, open or not.
    public func exists(_ store: StoreName) throws(Fault) -> Bool {
        FileSystem.exists(Self.file(in: try folder(of: store)))
    }

    /// Lists the names of the stores there are, in the order of their bytes.
    public func names(global: Bool) -> [String] {
        let home = home(global: global)
        return FileSystem.names(in: home).filter { FileSystem.exists(Self.file(in: "\(home)/\($0)")) }.compactMap(
            FolderName.decode
        )
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Bytes of a store with all that belongs to it; 0 where there is none.
    public func size(_ store: StoreName) throws(Fault) -> Int64 { FileSystem.treeSize(try folder(of: store)).bytes }

    // MARK: - Removing

    /// Closes a store and removes its files; one that does not exist is no error. Waits while another thread opens or
    /// removes that store.
    ///
    /// Calls of a store that was given before throw `closed` from then on; asking for it again makes a new one.
    ///
    /// - Throws: `invalidStoreName`; `busy` where the caller is inside a call of the store, or inside the closure that
    ///   gives its options; `inputOutput` where its files cannot be removed.
    public func remove(_ store: StoreName) throws(Fault) {
        let folder = try folder(of: store)
        try claims.holding(.store(store)) { () throws(Fault) in
            try closeNow(store)
            try Self.removeFiles(folder)
        }
    }

    /// Removes all stores of the user, or all global ones, as `remove` removes one. Waits for those that are being
    /// opened.
    ///
    /// - Throws: as `remove`. Stores closed before stay closed; files are removed only when all stores are closed.
    public func removeAll(global: Bool) throws(Fault) {
        try claims.refuseHolders(isGlobal: global)
        for round in 1... {
            // One by one and not under the claim to all: a thread that ends its work with one store may need to open
            // another.
            for name in openNames(global: global) {
                try claims.holding(.store(name)) { () throws(Fault) in try closeNow(name) }
            }
            let isDone = try claims.holding(.all(isGlobal: global)) { () throws(Fault) in
                let openedSince = openNames(global: global)
                if !openedSince.isEmpty, round < 10 {
                    return false
                }
                for name in openedSince {
                    try closeNow(name)
                }
                try Self.removeFiles(home(global: global))
                return true
            }
            if isDone {
                return
            }
        }
    }

    private func openNames(global: Bool) -> [StoreName] { open.withLock { $0.keys.filter { $0.isGlobal == global } } }

    private static func removeFiles(_ folder: String) throws(Fault) {
        FileSystem.removeTree(folder)
        if FileSystem.exists(folder) {
            throw Fault(.inputOutput, "the files of a store cannot be removed: check the permissions of its folder")
        }
    }

    /// Removes everything of the user, as logging out does. Global stores stay.
    public func logOut() throws(Fault) {
        try removeAll(global: false)
    }

    // MARK: - Places

    private func home(global: Bool) -> String {
        global ? "\(root)/global/stores" : "\(root)/users/\(FolderName.shortened(user))/stores"
    }

    private func folder(of store: StoreName) throws(Fault) -> String {
        let name = store.name
        let folder = FolderName.encode(name)
        guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0),
            folder.utf8.count <= FolderName.longest
        else {
            throw Fault(
                .invalidStoreName,
                "a store name is not empty, holds no '/' or NUL, is not '.' or '..', and is not too long",
                context: [.store(name)])
        }
        return home(global: store.isGlobal) + "/" + folder
    }

    private static func file(in folder: String) -> String { folder + "/store.db" }
}
