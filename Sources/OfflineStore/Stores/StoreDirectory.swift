import Platform
import SQLiteAccess
public import Soups
import Synchronization

/// Owns the stores below one folder: those of one user, and the global ones that outlive every user.
///
/// ```swift
/// let library = try SQLiteLibrary.find(.plain)
/// let stores = try StoreDirectory(root: folder, user: "organisation/user") { _ in
///     StoreOptions(library: library)
/// }
/// let contacts = try stores.store(.init("contacts"))
/// let shared = try stores.store(.init("shared", isGlobal: true))
/// try contacts.registerSoup("people", indexSpecs: [.string("name")])
/// // Removes the stores of this user. `close()` only closes them.
/// try stores.logOut()
/// ```
///
/// A store is opened when it is first requested; later requests return the same object. Names may be any text: they
/// become folder names by an encoding that nothing can escape from. On the disk: `global/stores/<name>/store.db` and
/// `users/<user>/stores/<name>/store.db`.
///
/// Safe to use from any thread. A store is opened, closed or removed by one thread at a time, while calls about other
/// stores go on. Use one object for each folder and user: two would not know of each other's stores.
public final class StoreDirectory: Sendable {
    /// The name of the store that is used if no name is given.
    public static let defaultStoreName = "defaultStore"

    /// Names one store of a directory.
    public struct StoreName: Sendable, Hashable {
        /// The name: any text except an empty one, `.`, `..` or one with `/` or NUL.
        public let name: String
        /// Whether the store belongs to all users of the directory's folder.
        public let isGlobal: Bool

        /// Names a store of the user, or a global one. The name is checked when the store is used.
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

    /// The folder that contains all users and their stores.
    public let root: String
    /// The user whose stores this directory owns.
    public let user: String
    private let options: @Sendable (StoreName) throws -> StoreOptions
    let keyValues = OpenKeyValueStores()
    private let open = Mutex<[StoreName: SmartStore]>([:])
    /// Held while a store is opened, closed or removed; the lock of `open` is not held during that time.
    let claims = StoreClaims()
    /// Whether the stores are suspended, so that no other is opened.
    let suspension = Suspension()

    /// Creates a directory object; no file is created yet.
    ///
    /// - Parameters:
    ///   - root: The folder that contains all users and their stores.
    ///   - user: Any text except an empty one, for example organisation, user and community.
    ///   - options: Called whenever a store is opened, so that each may have a key of its own. It runs on the thread
    ///     that requested the store, and may call the directory, but not about the store that is being opened: such
    ///     calls throw `busy`.
    /// - Throws: `invalidStoreName` if the user is empty.
    public init(
        root: String, user: String, options: @escaping @Sendable (StoreName) throws -> StoreOptions
    ) throws(Fault) {
        guard !user.isEmpty else {
            throw Fault(.invalidStoreName, "the user name is empty")
        }
        self.root = root
        self.user = user
        self.options = options
    }

    // MARK: - Opening

    /// Returns a store, opening or creating it if needed. Waits while another thread opens or removes that store.
    ///
    /// - Throws: `invalidStoreName`; `busy` inside the closure that gives this store's options, or inside a call of
    ///   another store while all are being removed, or that one by whoever opens this one; what the closure and
    ///   opening throw.
    public func store(_ store: StoreName = StoreName()) throws(Fault) -> SmartStore {
        let folder = try folder(of: store)
        if let known = opened(store) {
            return known
        }
        return try claims.holding(.store(.init(name: store)), inside: storesOfCaller) { () throws(Fault) in
            if let known = opened(store) {
                return known
            }
            try suspension.check()
            let options = try optionsOf(store)
            if options.access == .create {
                try Folder.makeForStore(folder)
            }
            let opened = try SmartStore(path: Self.file(in: folder), options: options)
            open.withLock { $0[store] = opened }
            return opened
        }
    }

    /// The stores whose calls the calling thread is inside of.
    var storesOfCaller: Set<StoreClaims.Store> {
        let names = open.withLock { $0.filter { $0.value.connections.gate.isInside }.keys }
        return Set(names.map { .init(name: $0) }).union(keyValues.storesOfCaller)
    }

    private func opened(_ store: StoreName) -> SmartStore? {
        // One that could not be reopened is closed too.
        guard let known = openStore(store), known.connections.isOpenOrSuspended else { return nil }
        return known
    }

    /// The store of a name that was opened last, if it was not removed or closed by the directory.
    func openStore(_ name: StoreName) -> SmartStore? { open.withLock { $0[name] } }

    /// The stores that are open or being opened now.
    func namesInUse() -> Set<StoreName> { open.withLock { Set($0.keys) }.union(claims.claimed(hasValues: false)) }

    func optionsOf(_ store: StoreName) throws(Fault) -> StoreOptions {
        do {
            return try options(store)
        } catch {
            throw error as? Fault
                ?? Fault(
                    .inputOutput, "the closure that gives the options of the store failed",
                    context: [.store(store.name)])
        }
    }

    /// Closes every open store, key-value stores too, and waits for those that are being opened.
    ///
    /// - Throws: `busy` if the caller is inside a call of one of them, or inside the closure that gives options. Stores
    ///   that were closed before that stay closed.
    public func close() throws(Fault) {
        try claims.refuseHolders()
        try refuseInside { _ in true }
        for name in namesInUse() {
            try claims.holding(.store(.init(name: name)), inside: storesOfCaller) { () throws(Fault) in
                try closeNow(name)
            }
        }
        try closeKeyValueStores()
    }

    /// Throws `busy` if the calling thread is inside a call of one of these stores, such as a backup. It must not wait
    /// for a claim, whose holder may wait for that call to end.
    func refuseInside(_ isMeant: (StoreName) -> Bool) throws(Fault) {
        let stores = open.withLock { $0.filter { isMeant($0.key) } }
        for (name, store) in stores where store.connections.gate.isInside {
            throw Fault(
                .busy, "a transaction, a reading call or a backup cannot close, remove or suspend its own store",
                context: [.store(name.name)])
        }
    }

    /// Closes a store and forgets it; a store that cannot be closed stays. The caller must hold the claim to it.
    private func closeNow(_ store: StoreName) throws(Fault) {
        if let known = open.withLock({ $0[store] }) {
            try claims.closing(.init(name: store)) { () throws(Fault) in try known.close() }
        }
        open.withLock { $0[store] = nil }
    }

    // MARK: - Listing

    /// Says whether a store has a file, open or not.
    ///
    /// - Throws: `invalidStoreName`.
    public func exists(_ store: StoreName) throws(Fault) -> Bool {
        File.exists(Self.file(in: try folder(of: store)))
    }

    /// Returns the names of all existing stores, in the order of their bytes.
    public func names(global: Bool) -> [String] {
        let home = home(global: global)
        return Folder.names(in: home).filter { File.exists(Self.file(in: "\(home)/\($0)")) }.compactMap(
            FolderName.decode
        )
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns the bytes of a store with all its files; 0 if it has none. O(n) in the number of files.
    ///
    /// - Throws: `invalidStoreName`.
    public func size(_ store: StoreName) throws(Fault) -> Int64 { Folder.size(below: try folder(of: store)).bytes }

    // MARK: - Removing

    /// Closes a store and removes its files; does nothing if it does not exist. Waits while another thread opens or
    /// removes that store.
    ///
    /// Store objects that were returned before throw `closed` from then on; requesting the store again creates a new
    /// one.
    ///
    /// - Throws: `invalidStoreName`; `busy` if the caller is inside a call of the store, or inside the closure that
    ///   gives its options, or if a call of the store waits for the caller to open another one; `inputOutput` if its
    ///   files cannot be removed.
    public func remove(_ store: StoreName) throws(Fault) {
        let folder = try folder(of: store)
        try refuseInside { $0 == store }
        try claims.holding(.store(.init(name: store)), inside: storesOfCaller) { () throws(Fault) in
            try closeNow(store)
            try Self.removeFiles(folder)
        }
    }

    /// Removes all stores of the user, or all global ones, as `remove` does for one. Waits for those that are being
    /// opened.
    ///
    /// - Throws: as `remove`. Stores that were closed before a failure stay closed; files are removed only when all
    ///   stores are closed.
    public func removeAll(global: Bool) throws(Fault) {
        let group = StoreClaims.Group(isGlobal: global)
        try claims.refuseHolders(group)
        try refuseInside { $0.isGlobal == global }
        for round in 1... {
            // One by one, without the claim to all: a thread that finishes its work with one store may need to open
            // another.
            for name in openNames(global: global) {
                try claims.holding(.store(.init(name: name)), inside: storesOfCaller) { () throws(Fault) in
                    try closeNow(name)
                }
            }
            let isDone = try claims.holding(.all(group), inside: storesOfCaller) { () throws(Fault) in
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

    static func removeFiles(_ folder: String) throws(Fault) {
        Folder.removeTree(folder)
        if File.exists(folder) {
            throw Fault(.inputOutput, "the files of a store cannot be removed: check the permissions of its folder")
        }
    }

    /// Removes all stores of the user, key-value stores too, as on logout. Global stores stay.
    ///
    /// - Throws: as `removeAll`. Stores that were removed before a failure stay removed.
    public func logOut() throws(Fault) {
        try removeAll(global: false)
        try removeAllKeyValueStores(global: false)
    }

    // MARK: - Places

    /// The folder of the user, or of what belongs to all users.
    func owner(global: Bool) -> String {
        global ? "\(root)/global" : "\(root)/users/\(FolderName.shortened(user))"
    }

    private func home(global: Bool) -> String { owner(global: global) + "/stores" }

    private func folder(of store: StoreName) throws(Fault) -> String {
        home(global: store.isGlobal) + "/" + (try Self.folderName(of: store))
    }

    /// The name of a store's folder. Throws `invalidStoreName`.
    static func folderName(of store: StoreName) throws(Fault) -> String {
        let name = store.name
        let folder = FolderName.encode(name)
        guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0),
            folder.utf8.count <= FolderName.longest
        else {
            throw Fault(
                .invalidStoreName,
                "a store name must not be empty, '.', '..' or too long, nor contain '/' or NUL",
                context: [.store(name)])
        }
        return folder
    }

    /// Makes the folder of a store, and returns where its file will be: for a copy of another store.
    package func makePlace(for store: StoreName) throws(Fault) -> String {
        let folder = try folder(of: store)
        try Folder.makeForStore(folder)
        return Self.file(in: folder)
    }

    private static func file(in folder: String) -> String { folder + "/store.db" }
}
