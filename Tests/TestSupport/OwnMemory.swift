#if os(Linux)
import Libc

/// Searches this process's own writable memory, through /proc/self.
public enum OwnMemory {
    /// The number of occurrences of the bytes, apart from the given ones.
    public static func occurrences(of needle: UnsafeRawBufferPointer) -> Int { Search().occurrences(of: needle) }

    /// A search that allocates nothing while it runs, so that memory that was freed just before is still unchanged.
    public final class Search {
        private var regions: [(UInt, UInt)] = []
        private let memory = open("/proc/self/mem", O_RDONLY)
        private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)

        /// Notes the memory regions.
        public init() {
            guard let maps = fopen("/proc/self/maps", "r") else { return }
            defer { fclose(maps) }
            var line = [CChar](repeating: 0, count: 1024)
            while fgets(&line, Int32(line.count), maps) != nil {
                let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                let parts = text.split(separator: " ")
                guard parts.count > 1, parts[1].hasPrefix("rw"), !text.contains("[vvar") else {
                    continue
                }
                let bounds = parts[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
                if bounds.count == 2 {
                    regions.append((bounds[0], bounds[1]))
                }
            }
        }

        deinit {
            close(memory)
            chunk.deallocate()
        }

        /// The number of occurrences of the bytes, apart from the given ones; -1 if memory cannot be read.
        public func occurrences(of needle: UnsafeRawBufferPointer) -> Int {
            guard memory >= 0, !regions.isEmpty else {
                return -1
            }
            let start = UInt(bitPattern: chunk.baseAddress)
            var found = 0
            for (first, end) in regions {
                var position = first
                while position < end {
                    let length = min(chunk.count, Int(end - position))
                    let got = pread(memory, chunk.baseAddress, length, off_t(position))
                    guard got > needle.count else { break }
                    let bytes = UnsafeRawBufferPointer(rebasing: chunk[..<got])
                    found += OwnMemory.count(needle, in: bytes, at: position, own: start..<start + UInt(chunk.count))
                    position += UInt(got == length && length == chunk.count ? got - needle.count : got)
                }
            }
            return found
        }
    }

    private static func count(
        _ needle: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer, at address: UInt, own: Range<UInt>
    ) -> Int {
        var count = 0
        var rest = bytes
        while rest.count >= needle.count, let start = rest.baseAddress,
            let hit = memchr(start, Int32(needle[0]), rest.count - needle.count + 1)
        {
            let offset = start.distance(to: UnsafeRawPointer(hit))
            guard let wanted = needle.baseAddress, memcmp(hit, wanted, needle.count) == 0 else {
                rest = UnsafeRawBufferPointer(rebasing: rest[(offset + 1)...])
                continue
            }
            let match = address + UInt(bytes.count - rest.count + offset)
            let isNeedle = match == UInt(bitPattern: needle.baseAddress)
            if !isNeedle, !own.contains(match) {
                count += 1
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[(offset + 1)...])
        }
        return count
    }
}
#endif
