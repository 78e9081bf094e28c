/// Tells files apart whatever path leads to them: the device and the inode. Only `stat` is asked, the file is not
/// opened.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
}
