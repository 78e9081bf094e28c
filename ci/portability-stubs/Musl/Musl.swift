// What Musl has in another form than Glibc, with the signatures of its public headers, over the C library of this system.
// For the type checker: nothing here is ever run.
@_exported public import Glibc
@_exported public import MuslFunctions

// alltypes.h: threads are pointers in C
public typealias pthread_t = OpaquePointer

// pthread.h
public func pthread_self() -> pthread_t! { fatalError() }
public func pthread_create(
    _: UnsafeMutablePointer<pthread_t?>!, _: UnsafePointer<pthread_attr_t>!,
    _: (@convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?)!, _: UnsafeMutableRawPointer!
) -> Int32 { fatalError() }
public var PTHREAD_CREATE_DETACHED: Int32 { 1 }

// sys/socket.h: a macro, where Glibc has an enumeration
public var SOCK_STREAM: Int32 { 1 }
public var MSG_NOSIGNAL: Int32 { 0x4000 }
public var MSG_PEEK: Int32 { 2 }

// sys/inotify.h and fcntl.h: macros
public var IN_CLOEXEC: Int32 { 0o2000000 }
public var IN_NONBLOCK: Int32 { 0o4000 }

// signal.h: the union has another name
public struct sigaction {
    public struct __Unnamed_union___sa_handler {
        public var sa_handler: (@convention(c) (Int32) -> Void)?
    }
    public var __sa_handler = __Unnamed_union___sa_handler()
    public var sa_mask = sigset_t()
    public var sa_flags: Int32 = 0
    public init() {}
}

// unistd.h: macros
public var _SC_NPROCESSORS_ONLN: Int32 { 84 }
