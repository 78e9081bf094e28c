// What Bionic does not have: a use of it is an error there.
@available(*, unavailable) public var _CS_GNU_LIBC_VERSION: Int32 { 0 }
@available(*, unavailable) public func confstr(_: Int32, _: UnsafeMutablePointer<CChar>?, _: Int) -> Int { 0 }
@available(*, unavailable) public func explicit_bzero(_: UnsafeMutableRawPointer!, _: Int) {}
@available(*, unavailable) public func gnu_get_libc_version() -> UnsafePointer<CChar>! { fatalError() }
@available(*, unavailable) public func mallinfo2() -> Never { fatalError() }
@available(*, unavailable) public func malloc_trim(_: Int) -> Int32 { 0 }
@available(*, unavailable) public func shm_open(_: UnsafePointer<CChar>!, _: Int32, _: mode_t) -> Int32 { 0 }
@available(*, unavailable) public func getloadavg(_: UnsafeMutablePointer<Double>!, _: Int32) -> Int32 { 0 }
