// What Darwin does not have: a use of it is an error there.
@available(*, unavailable) public var IN_MODIFY: Int32 { 0 }
@available(*, unavailable) public var MSG_NOSIGNAL: Int32 { 0 }
@available(*, unavailable) public var O_TMPFILE: Int32 { 0 }
@available(*, unavailable) public var SOCK_CLOEXEC: Int32 { 0 }
@available(*, unavailable) public var _CS_GNU_LIBC_VERSION: Int32 { 0 }
@available(*, unavailable) public var environ: Never { fatalError() }
@available(*, unavailable) public func explicit_bzero(_: UnsafeMutableRawPointer!, _: Int) {}
@available(*, unavailable) public func inotify_init1(_: Int32) -> Int32 { 0 }
@available(*, unavailable) public func pipe2(_: UnsafeMutablePointer<Int32>!, _: Int32) -> Int32 { 0 }
