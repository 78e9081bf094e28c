import Soups

/// What Callgrind wrote about one region: the number of instructions, and how often memory was asked for.
///
/// Source: Callgrind's format specification: `summary:` or `totals:` has the costs, `cfn=(id) name` names a called
/// function (the name only the first time), and the line `calls=` after it says how often.
struct CallgrindFile {
    private(set) var instructions: Int?
    private(set) var allocations = 0

    private static let allocators: Set<ByteKey> = Set(
        ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"].map { ByteKey($0) })

    init(_ text: [UInt8]) {
        var names: [ByteKey: ByteKey] = [:]
        var called = ByteKey("")
        for line in text.split(separator: UInt8(ascii: "\n")) {
            if let rest = Self.rest(of: line, after: "cfn=") {
                called = Self.name(rest, &names)
            } else if let rest = Self.rest(of: line, after: "fn=") {
                _ = Self.name(rest, &names)
            } else if let rest = Self.rest(of: line, after: "calls="), Self.allocators.contains(called) {
                allocations += Self.number(rest) ?? 0
            } else if let rest = Self.rest(of: line, after: "totals: ") ?? Self.rest(of: line, after: "summary: ") {
                instructions = Self.number(rest)
            }
        }
    }

    private static func rest(of line: ArraySlice<UInt8>, after start: String) -> ArraySlice<UInt8>? {
        line.starts(with: start.utf8) ? line.dropFirst(start.utf8.count) : nil
    }

    private static func number(_ text: ArraySlice<UInt8>) -> Int? {
        Int(String(decoding: text.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }, as: UTF8.self))
    }

    /// The name of a function that is given as `(id) name`, or as `(id)` from the second time on.
    private static func name(_ text: ArraySlice<UInt8>, _ names: inout [ByteKey: ByteKey]) -> ByteKey {
        guard let end = text.firstIndex(of: UInt8(ascii: ")")) else {
            return ByteKey(String(decoding: text, as: UTF8.self))
        }
        let id = ByteKey(String(decoding: text[...end], as: UTF8.self))
        let rest = text[(end + 1)...].drop { $0 == UInt8(ascii: " ") }
        if !rest.isEmpty {
            names[id] = ByteKey(String(decoding: rest, as: UTF8.self))
        }
        return names[id] ?? id
    }
}
