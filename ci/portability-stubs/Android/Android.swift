// What Android's C library, Bionic, has in another form than Glibc, with the signatures of its public headers for 64 bits,
// over the C library of this system. For the type checker: nothing here is ever run.
@_exported public import AndroidFunctions
@_exported public import Glibc

// bits/pthread_types.h: threads are numbers with a sign
public typealias pthread_t = Int

// pthread.h
public func pthread_self() -> pthread_t { fatalError() }
public func pthread_create(
    _: UnsafeMutablePointer<pthread_t>, _: UnsafePointer<pthread_attr_t>?,
    _: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?
) -> Int32 { fatalError() }
public var PTHREAD_CREATE_DETACHED: Int32 { 1 }

// sys/socket.h: macros, where Glibc has enumerations
public var SOCK_STREAM: Int32 { 1 }
public var MSG_NOSIGNAL: Int32 { 0x4000 }
public var MSG_PEEK: Int32 { 2 }

// sys/inotify.h
public var IN_CLOEXEC: Int32 { 0o2000000 }
public var IN_NONBLOCK: Int32 { 0o4000 }

// signal.h: the union has no name
public struct sigaction {
    public var sa_flags: Int32 = 0
    public var sa_handler: (@convention(c) (Int32) -> Void)?
    public var sa_mask = sigset_t()
    public init() {}
}

// unistd.h: may be null
public var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? { fatalError() }

// bits/sysconf.h
public var _SC_NPROCESSORS_ONLN: Int32 { 0x0061 }

// spawn.h, from API 28: both types are pointers
public typealias posix_spawn_file_actions_t = OpaquePointer
public typealias posix_spawnattr_t = OpaquePointer
public typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t?>
public typealias Attributes = UnsafeMutablePointer<posix_spawnattr_t?>
@discardableResult public func posix_spawn_file_actions_init(_: Actions) -> Int32 { fatalError() }
@discardableResult public func posix_spawn_file_actions_destroy(_: Actions) -> Int32 { fatalError() }
@discardableResult public func posix_spawn_file_actions_adddup2(_: Actions, _: Int32, _: Int32) -> Int32 {
    fatalError()
}
@discardableResult public func posix_spawnattr_init(_: Attributes) -> Int32 { fatalError() }
@discardableResult public func posix_spawnattr_destroy(_: Attributes) -> Int32 { fatalError() }
@discardableResult public func posix_spawnattr_setpgroup(_: Attributes, _: pid_t) -> Int32 { fatalError() }
@discardableResult public func posix_spawnattr_setflags(_: Attributes, _: Int16) -> Int32 { fatalError() }
@discardableResult public func posix_spawnattr_setsigdefault(_: Attributes, _: UnsafePointer<sigset_t>) -> Int32 {
    fatalError()
}
public func posix_spawn(
    _: UnsafeMutablePointer<pid_t>?, _: UnsafePointer<CChar>, _: UnsafePointer<posix_spawn_file_actions_t?>?,
    _: UnsafePointer<posix_spawnattr_t?>?, _: UnsafePointer<UnsafeMutablePointer<CChar>?>,
    _: UnsafePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 { fatalError() }
