import SQLiteAccess
public import Soups
import Synchronization

/// Owns the stores below one folder: those of one user, and the global ones that outlive every user.
///
/// A store is opened when it is first asked for, and the same object is given each time. Names are data: they become
/// folder names by an encoding that nothing can escape from. Safe to use from any thread. On the disk:
/// `global/stores/<name>/store.db` and `users/<user>/stores/<name>/store.db`.
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

    /// Takes the folder and the user; nothing is made yet.
    ///
    /// - Parameters:
    ///   - root: The folder below which all users and their stores lie.
    ///   - user: Any text but the empty one, for example organisation, user and community.
    ///   - options: Asked whenever a store is opened: each may have a key of its own.
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

    /// Gives a store, opening or making it where needed.
    ///
    /// - Throws: `invalidStoreName`, and what opening throws.
    public func store(_ store: StoreName = StoreName()) throws(Fault) -> SmartStore {
        let folder = try folder(of: store)
        let outcome: Result<SmartStore, Fault> = open.withLock { open in
            if let known = open[store], !known.wasClosed {
                return .success(known)
            }
            return Result { () throws(Fault) in
                let options = try optionsOf(store)
                if options.access == .create {
                    try FileSystem.makeFolder(folder)
                }
                let opened = try SmartStore(path: Self.file(in: folder), options: options)
                open[store] = opened
                return opened
            }
        }
        return try outcome.get()
    }

    private func optionsOf(_ store: StoreName) throws(Fault) -> StoreOptions {
        do {
            return try options(store)
        } catch {
            throw error as? Fault
                ?? Fault(.inputOutput, "the options of a store are not to be had", context: [.store(store.name)])
        }
    }

    /// Closes every store that is open.
    public func close() throws(Fault) {
        let stores = open.withLock { open in
            defer { open.removeAll() }
            return Array(open.values)
        }
        for store in stores {
            try store.close()
        }
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

    /// Closes a store and removes its files; one that does not exist is no error.
    public func remove(_ store: StoreName) throws(Fault) {
        let folder = try folder(of: store)
        if let known = open.withLock({ $0.removeValue(forKey: store) }) {
            try known.close()
        }
        FileSystem.removeTree(folder)
    }

    /// Removes all stores of the user, or all global ones.
    public func removeAll(global: Bool) throws(Fault) {
        let known = open.withLock { open in
            let chosen = open.filter { $0.key.isGlobal == global }
            for name in chosen.keys {
                open[name] = nil
            }
            return chosen
        }
        for store in known.values {
            try store.close()
        }
        FileSystem.removeTree(home(global: global))
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
