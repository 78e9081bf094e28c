import Soups

/// The undecoded parts of a URL.
struct URLParts {
    var root: ArraySlice<UInt8>
    /// The segments of the resource path, without the slashes between them.
    var path: [ArraySlice<UInt8>]
    var query: ArraySlice<UInt8>?
    var fragment: ArraySlice<UInt8>?

    init(_ bytes: [UInt8], serviceRoot: String?, limits: Limits) throws(Fault) {
        guard bytes.count <= limits.length else {
            throw Fault(.limitExceeded, "the text is longer than \(limits.length) bytes", offset: limits.length)
        }
        var rest = bytes[...]
        if let index = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = rest[(index + 1)...]
            rest = rest[..<index]
        }
        if let index = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[(index + 1)...]
            rest = rest[..<index]
        }
        root = rest[..<0]
        if let serviceRoot, rest.starts(with: serviceRoot.utf8) {
            root = rest.prefix(serviceRoot.utf8.count)
            rest = rest.dropFirst(serviceRoot.utf8.count)
            path = Self.segments(rest)
        } else if let authority = Self.endOfAuthority(rest) {
            let all = Self.segments(rest[authority...])
            let first = Self.firstOfResource(all)
            path = Array(all[first...])
            root = rest[..<(path.first?.startIndex ?? rest.endIndex)]
        } else {
            path = Self.segments(rest)
        }
        for segment in path where segment.isEmpty {
            throw Fault(.syntax, "empty path segment", offset: segment.startIndex)
        }
    }

    /// Splits at slashes. A slash at the start or the end does not make an empty segment.
    private static func segments(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var bytes = bytes
        if bytes.first == UInt8(ascii: "/") {
            bytes = bytes.dropFirst()
        }
        if bytes.last == UInt8(ascii: "/") {
            bytes = bytes.dropLast()
        }
        return bytes.isEmpty ? [] : bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    }

    /// The index at which the path starts after `http://host` or `https://host`; nil for a relative URL.
    private static func endOfAuthority(_ bytes: ArraySlice<UInt8>) -> Int? {
        for scheme in ["http://", "https://"] {
            let length = scheme.utf8.count
            guard bytes.count > length, bytes.prefix(length).elementsEqual(scheme.utf8, by: { $0 | 0x20 == $1 | 0x20 })
            else {
                continue
            }
            return bytes[(bytes.startIndex + length)...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
        }
        return nil
    }

    private static func firstOfResource(_ segments: [ArraySlice<UInt8>]) -> Int {
        if let service = segments.lastIndex(where: { $0.suffix(4).elementsEqual(".svc".utf8) }) {
            return service + 1
        }
        let roots = ["$metadata", "$batch", "$entity", "$all"]
        for (index, segment) in segments.enumerated() {
            if segment.first == UInt8(ascii: "$") {
                let isRoot =
                    roots.contains { $0.utf8.elementsEqual(segment) } || segment.starts(with: "$crossjoin".utf8)
                return isRoot ? index : max(0, index - 1)
            }
            if segment.contains(UInt8(ascii: "(")) || String(decoding: segment, as: UTF8.self).contains("%28") {
                return index
            }
        }
        return max(0, segments.count - 1)
    }
}
