public import FoundationEssentials
import Libc

/// Everything in a folder and below it: names, kinds, permissions, inodes, dates of change and contents.
public struct FolderListing: Equatable {
    public struct Item: Equatable {
        public let mode: UInt32
        public let inode: UInt64
        public let seconds: Int
        public let nanoseconds: Int
        public let bytes: Data?
    }

    public let root: String
    public private(set) var items: [String: Item] = [:]

    /// Only the files: a folder's date changes when a file is created in it and removed again.
    public var files: [String: Item] { items.filter { $0.value.bytes != nil } }

    public var names: [String] { items.keys.filter { !$0.isEmpty }.sorted() }

    public init(_ root: String) throws {
        self.root = root
        try add("")
    }

    private mutating func add(_ name: String) throws {
        let path = name.isEmpty ? root : root + "/" + name
        var status = stat()
        guard lstat(path, &status) == 0 else {
            throw CocoaError(.fileReadNoSuchFile)
        }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        items[name] = Item(
            mode: UInt32(status.st_mode), inode: UInt64(status.st_ino), seconds: Int(time.tv_sec),
            nanoseconds: Int(time.tv_nsec),
            bytes: isFolder ? nil : try Data(contentsOf: URL(filePath: path)))
        guard isFolder else { return }
        for child in try FileManager.default.contentsOfDirectory(atPath: path) {
            try add(name.isEmpty ? child : name + "/" + child)
        }
    }

    /// Sets the permissions of all files and folders, the outermost last.
    public func setRights(files: UInt32, folders: UInt32) throws {
        // A folder must be made accessible before its content, and inaccessible after it: both orders are tried.
        for name in items.keys.sorted() + items.keys.sorted().reversed() {
            let isFolder = items[name]?.bytes == nil
            _ = chmod(name.isEmpty ? root : root + "/" + name, mode_t(isFolder ? folders : files))
        }
    }
}
