import Libc

/// What the system says about itself.
package enum HostSystem {
    /// How many processors there are to run on.
    package static var processors: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }

    /// The release of the kernel: `6.1.0-13-amd64`.
    package static var kernel: String {
        var names = utsname()
        uname(&names)
        return withUnsafeBytes(of: &names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// The C library and, where it says so, its version: `glibc 2.36`.
    package static var library: String {
        #if canImport(Darwin)
        return "libSystem"
        #elseif canImport(Musl)
        return "musl"
        #elseif canImport(Android)
        return "bionic"
        #else
        var text = [CChar](repeating: 0, count: 64)
        let length = confstr(Int32(_CS_GNU_LIBC_VERSION), &text, text.count)
        return length > 0
            ? String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : "glibc"
        #endif
    }

    /// Whether it is a system of Apple's.
    package static var isDarwin: Bool {
        #if canImport(Darwin)
        true
        #else
        false
        #endif
    }

    /// Bytes that a user may still write to the disk of a file or folder, 0 if the system does not say.
    package static func freeBytes(at path: String) -> Int64 {
        var free = statvfs()
        return statvfs(path, &free) == 0 ? Int64(clamping: UInt64(free.f_bavail) &* UInt64(free.f_frsize)) : 0
    }
}
