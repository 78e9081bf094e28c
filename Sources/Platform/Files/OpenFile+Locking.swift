import Libc

extension OpenFile {
    /// Takes the lock of this file or folder, which ends with the descriptor, and with the process at the latest; false
    /// if another descriptor has it.
    package func lock() throws(SystemError) -> Bool {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else {
                throw .last("lock a file")
            }
            return false
        }
        return true
    }

    /// Gives the lock up. Closing the descriptor does not while another process, forked in the meantime, has it too.
    package func unlock() { _ = flock(descriptor, LOCK_UN) }

    /// The process that holds a lock on some of these bytes; nil if there is no such lock, 0 if the system does not say
    /// which.
    package func holder(ofBytes range: Range<Int64>) -> Int32? {
        var lock = Libc.flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(range.lowerBound)
        lock.l_len = off_t(range.count)
        guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
        return max(0, lock.l_pid)
    }

    /// Takes the lock of these bytes of a file that is open for writing, which ends when this process closes any
    /// descriptor of the file; false if another process has a lock on some of them, or the system refuses.
    package func lock(bytes range: Range<Int64>) -> Bool {
        var lock = Libc.flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(range.lowerBound)
        lock.l_len = off_t(range.count)
        return fcntl(descriptor, F_SETLK, &lock) == 0
    }
}
