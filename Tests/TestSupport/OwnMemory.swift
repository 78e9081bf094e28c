#if os(Linux)
#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Looks for bytes in this process's own writable memory, through /proc/self.
public enum OwnMemory {
    /// The number of places where the bytes stand, apart from the places given.
    public static func occurrences(of needle: UnsafeRawBufferPointer) -> Int {
        guard let maps = fopen("/proc/self/maps", "r") else {
            return -1
        }
        var regions: [(UInt, UInt)] = []
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
        fclose(maps)
        let memory = open("/proc/self/mem", O_RDONLY)
        defer { close(memory) }
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { chunk.deallocate() }
        let own = UInt(bitPattern: chunk.baseAddress)..<UInt(bitPattern: chunk.baseAddress) + UInt(chunk.count)
        var found = 0
        for (start, end) in regions {
            var position = start
            while position < end {
                let length = min(chunk.count, Int(end - position))
                let got = pread(memory, chunk.baseAddress, length, off_t(position))
                guard got > needle.count else { break }
                found += count(needle, in: UnsafeRawBufferPointer(rebasing: chunk[..<got]), at: position, own: own)
                position += UInt(got == length && length == chunk.count ? got - needle.count : got)
            }
        }
        return found
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
            let place = address + UInt(bytes.count - rest.count + offset)
            let isNeedle = place == UInt(bitPattern: needle.baseAddress)
            if !isNeedle, !own.contains(place) {
                count += 1
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[(offset + 1)...])
        }
        return count
    }
}
#endif
