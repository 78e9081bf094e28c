import ServiceTransport
import Soups

/// A rule, and how many requests it has seen.
struct ActiveRule: Sendable {
    let rule: FaultRule
    private var seen = 0

    init(_ rule: FaultRule) { self.rule = rule }

    /// Counts a request that fits; whether it is struck.
    mutating func strikes(_ request: ServiceRequest, _ call: MockCall?) -> Bool {
        guard fits(request, call) else { return false }
        seen += 1
        guard seen >= rule.nth else { return false }
        guard let times = rule.times else { return true }
        return seen - max(1, rule.nth) < times
    }

    private func fits(_ request: ServiceRequest, _ call: MockCall?) -> Bool {
        if let wanted = rule.call, wanted != call {
            return false
        }
        if let method = rule.method, method != request.method {
            return false
        }
        if let path = rule.path, !request.target.utf8.contains(path.utf8) {
            return false
        }
        return [rule.object, rule.record].allSatisfy { $0.map { Self.names($0, request) } ?? true }
    }

    /// Whether path, query or body have a word.
    private static func names(_ word: String, _ request: ServiceRequest) -> Bool {
        let target = request.target.utf8.percentDecoded(plusIsBlank: true) ?? request.target
        return hasWord(word, in: Array(target.utf8)) || hasWord(word, in: request.body ?? [])
    }

    private static func hasWord(_ word: String, in bytes: [UInt8]) -> Bool {
        let word = Array(word.utf8)
        guard !word.isEmpty, word.count <= bytes.count else { return false }
        let isWordByte: (UInt8) -> Bool = {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x5F
        }
        var start = 0
        while start + word.count <= bytes.count {
            let end = start + word.count
            if bytes[start] == word[0], bytes[start..<end].elementsEqual(word),
                start == 0 || !isWordByte(bytes[start - 1]), end == bytes.count || !isWordByte(bytes[end])
            {
                return true
            }
            start += 1
        }
        return false
    }
}
