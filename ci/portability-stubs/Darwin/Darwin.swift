// What only Darwin has, with the signatures of its public headers, over the C library of this system. For the type
// checker: nothing here is ever run.
@_exported public import DarwinFunctions
@_exported public import Glibc

// sys/stat.h
extension stat {
    public var st_mtimespec: timespec { st_mtim }
    public var st_ctimespec: timespec { st_ctim }
}

// string.h
public func memset_s(_: UnsafeMutableRawPointer!, _: Int, _: Int32, _: Int) -> Int32 { fatalError() }

// fcntl.h
public var F_FULLFSYNC: Int32 { 51 }

// sys/socket.h
public var SO_NOSIGPIPE: Int32 { 0x1022 }
public var SOCK_STREAM: Int32 { 1 }

// pthread.h: threads are pointers
public typealias pthread_t = OpaquePointer
public func pthread_self() -> pthread_t { fatalError() }
public func pthread_create(
    _: UnsafeMutablePointer<pthread_t?>!, _: UnsafePointer<pthread_attr_t>?,
    _: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?
) -> Int32 { fatalError() }

// signal.h: C has a function of the name of this type, which is in a module below.
public struct sigaction {
    public struct __sigaction_u_t { public var __sa_handler: (@convention(c) (Int32) -> Void)? }
    public var __sigaction_u = __sigaction_u_t()
    public init() {}
}

// crt_externs.h
public func _NSGetEnviron() -> UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>! {
    fatalError()
}

// sys/sysctl.h
public func sysctlbyname(
    _: UnsafePointer<CChar>!, _: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<Int>?, _: UnsafeMutableRawPointer?,
    _: Int
) -> Int32 { fatalError() }

// spawn.h: both types are pointers
public typealias posix_spawn_file_actions_t = UnsafeMutableRawPointer
public typealias posix_spawnattr_t = UnsafeMutableRawPointer
public typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t?>
public typealias Attributes = UnsafeMutablePointer<posix_spawnattr_t?>
@discardableResult public func posix_spawn_file_actions_init(_: Actions!) -> Int32 { fatalError() }
@discardableResult public func posix_spawn_file_actions_destroy(_: Actions!) -> Int32 { fatalError() }
@discardableResult public func posix_spawn_file_actions_adddup2(_: Actions!, _: Int32, _: Int32) -> Int32 {
    fatalError()
}
@discardableResult public func posix_spawnattr_init(_: Attributes!) -> Int32 { fatalError() }
@discardableResult public func posix_spawnattr_destroy(_: Attributes!) -> Int32 { fatalError() }
@discardableResult public func posix_spawnattr_setpgroup(_: Attributes!, _: pid_t) -> Int32 { fatalError() }
@discardableResult public func posix_spawnattr_setflags(_: Attributes!, _: Int16) -> Int32 { fatalError() }
@discardableResult public func posix_spawnattr_setsigdefault(_: Attributes!, _: UnsafePointer<sigset_t>!) -> Int32 {
    fatalError()
}
public func posix_spawn(
    _: UnsafeMutablePointer<pid_t>!, _: UnsafePointer<CChar>!, _: UnsafePointer<posix_spawn_file_actions_t?>!,
    _: UnsafePointer<posix_spawnattr_t?>!, _: UnsafePointer<UnsafeMutablePointer<CChar>?>!,
    _: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { fatalError() }
