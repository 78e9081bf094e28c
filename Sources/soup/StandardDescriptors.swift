import Libc

/// Keeps the numbers of the standard streams from files that are opened later.
enum StandardDescriptors {
    /// Gives each of them that is closed to a file that can neither be read nor written: a result would go to whatever
    /// file the system gives the number to, and seem to be written.
    static func claim() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            // The system gives the lowest number that is free. Each is opened for what its stream is never used for.
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
