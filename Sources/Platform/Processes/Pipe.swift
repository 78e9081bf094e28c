import Libc

/// A pipe whose ends no other program inherits.
package struct Pipe {
    package let reading: OpenFile
    package let writing: OpenFile

    package init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
        guard pipe(&ends) == 0 else {
            throw .last("create a pipe")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        #else
        // In one step: a program that another thread starts in between would inherit the ends.
        guard pipe2(&ends, O_CLOEXEC) == 0 else {
            throw .last("create a pipe")
        }
        #endif
        reading = OpenFile(owning: ends[0])
        writing = OpenFile(owning: ends[1])
    }
}
