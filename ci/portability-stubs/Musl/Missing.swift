// What Musl does not have: a use of it is an error there.
@available(*, unavailable) public var _CS_GNU_LIBC_VERSION: Int32 { 0 }
@available(*, unavailable) public func gnu_get_libc_version() -> UnsafePointer<CChar>! { fatalError() }
@available(*, unavailable) public func mallinfo2() -> Never { fatalError() }
@available(*, unavailable) public func malloc_trim(_: Int) -> Int32 { 0 }
@available(*, unavailable) public func qsort_r(_: UnsafeMutableRawPointer!, _: Int, _: Int) {}
@available(*, unavailable) public func fcloseall() -> Int32 { 0 }
