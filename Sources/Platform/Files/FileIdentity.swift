/// Tells files apart whatever path leads to them: the device and the inode.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
}
