/// Identifies a file by device and inode, whatever path leads to it. Uses `stat` only; the file is not opened.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
}
