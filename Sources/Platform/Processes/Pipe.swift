import Libc

/// A pipe whose ends no other program inherits.
package struct Pipe {
    package let reading: OpenFile
    package let writing: OpenFile

    package init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        // A program that is started in between would inherit the ends.
        let result = ChildProcess.spawning.locked {
            let result = pipe(&ends)
            for end in ends where result == 0 {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            }
            return result
        }
        guard result == 0 else {
            throw .last("create a pipe")
        }
        reading = OpenFile(owning: ends[0])
        writing = OpenFile(owning: ends[1])
    }
}
