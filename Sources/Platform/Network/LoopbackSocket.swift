import Libc

/// A stream socket of this machine: a listener on 127.0.0.1, or one end of a connection to one. No other address is
/// ever bound or connected to.
///
/// Reading and writing never wait; `wait` does. Threads may share it. A thread that wants another one to stop using a
/// connection calls `end`, never `close`: the number of a closed descriptor may be given to another file.
package final class LoopbackSocket: Sendable {
    let file: OpenFile

    private init(_ descriptor: Int32) {
        file = OpenFile(owning: descriptor)
        file.doNotBlock()
    }

    package func close() { file.close() }

    /// Ends both directions: who waits for the other side wakes up, and reads the end.
    package func end() { _ = shutdown(file.descriptor, Int32(SHUT_RDWR)) }

    /// Tells the other side that nothing more will come. What it sends can still be read.
    package func endWriting() { _ = shutdown(file.descriptor, Int32(SHUT_WR)) }
}

// MARK: - Making
extension LoopbackSocket {
    /// Listens on a port; 0 lets the system choose one.
    package static func listening(onPort port: UInt16, backlog: Int32 = 64) throws(SystemError) -> LoopbackSocket {
        let socket = try make()
        // A port whose last connections are still dying can be used at once; one with a listener cannot.
        socket.set(SO_REUSEADDR)
        let bound = withAddress(port) { bind(socket.file.descriptor, $0, $1) }
        guard bound == 0, listen(socket.file.descriptor, backlog) == 0 else {
            throw .last("listen on a port")
        }
        return socket
    }

    /// Connects to a listener of this machine, at most so long.
    package static func connected(toPort port: UInt16, milliseconds: Int) throws(SystemError) -> LoopbackSocket {
        let socket = try make()
        if withAddress(port, { connect(socket.file.descriptor, $0, $1) }) == 0 {
            return socket
        }
        guard errno == EINPROGRESS || errno == EINTR else {
            throw .last("connect to a port")
        }
        guard try socket.wait(for: .writing, milliseconds: milliseconds).isWritable else {
            throw SystemError("connect to a port", ETIMEDOUT)
        }
        var number: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        _ = getsockopt(socket.file.descriptor, SOL_SOCKET, SO_ERROR, &number, &length)
        guard number == 0 else {
            throw SystemError("connect to a port", number)
        }
        return socket
    }

    /// The next connection that waits at this listener; nil if none does.
    package func accepted() throws(SystemError) -> LoopbackSocket? {
        while true {
            let descriptor = ChildProcess.spawning.locked {
                let descriptor = accept(file.descriptor, nil, nil)
                _ = descriptor < 0 ? 0 : fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                return descriptor
            }
            if descriptor >= 0 {
                let socket = LoopbackSocket(descriptor)
                guard socket.prepare() else {
                    // The other side has closed it already.
                    socket.close()
                    continue
                }
                return socket
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EAGAIN, EWOULDBLOCK: return nil
            default: throw .last("accept a connection")
            }
        }
    }

    /// The port of this end.
    package var port: UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(file.descriptor, $0, &length) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func make() throws(SystemError) -> LoopbackSocket {
        #if canImport(Darwin) || canImport(Musl) || canImport(Android)
        let stream = Int32(SOCK_STREAM)
        #else
        let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        // A program that is started in between would inherit the socket.
        let descriptor = ChildProcess.spawning.locked {
            let descriptor = Libc.socket(AF_INET, stream, 0)
            _ = descriptor < 0 ? 0 : fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            return descriptor
        }
        guard descriptor >= 0 else {
            throw .last("create a socket")
        }
        let socket = LoopbackSocket(descriptor)
        guard socket.prepare() else {
            throw .last("prepare a socket")
        }
        return socket
    }

    /// Lets writing to a closed connection be an error, where `send` has no flag for that. Returns whether that is so.
    private func prepare() -> Bool {
        #if canImport(Darwin)
        set(SO_NOSIGPIPE)
        #else
        true
        #endif
    }

    @discardableResult
    private func set(_ option: Int32) -> Bool {
        var on: Int32 = 1
        return setsockopt(file.descriptor, SOL_SOCKET, option, &on, socklen_t(MemoryLayout<Int32>.size)) == 0
    }

    private static func withAddress(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}
