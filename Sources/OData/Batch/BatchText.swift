import Soups

/// Texts of messages in a batch, checked so that none can end its line or its part.
enum BatchText {
    /// The first line of a message.
    static func start(_ start: ODataBatch.Message.Start) throws(Fault) -> String {
        switch start {
        case .request(let method, let url): return "\(try token(method)) \(try self.url(url)) HTTP/1.1"
        case .answer(let status, let reason):
            guard (100...599).contains(status) else {
                throw Fault(.invalidArguments, "a status must be a number from 100 to 599")
            }
            return "HTTP/1.1 \(status)" + (reason.isEmpty ? "" : " " + (try value(reason)))
        }
    }

    /// A URL, without blanks and control characters.
    static func url(_ text: String) throws(Fault) -> String {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw Fault(.invalidArguments, "the URL of a request in a batch must be percent-encoded ASCII")
        }
        return text
    }

    /// A method or the name of a header: a token of RFC 9110.
    static func token(_ text: String) throws(Fault) -> String {
        guard isToken(text.utf8) else {
            throw Fault(.invalidArguments, "a method or the name of a header has a character that is not allowed there")
        }
        return text
    }

    /// The value of a header: one line.
    static func value(_ text: String) throws(Fault) -> String {
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw Fault(.invalidArguments, "the value of a header has a control character")
        }
        return text
    }

    static func isToken(_ text: some Collection<UInt8>) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isUnreserved || "!#$%&'*+^`|".utf8.contains($0) }
    }

    private static let forbidden: Set<String> = [
        "authorization", "expect", "from", "max-forwards", "range", "te",
    ]

    /// Whether a header may be in a part.
    static func isAllowedInPart(_ name: String) -> Bool { !forbidden.contains(name.lowercased()) }
}

/// Names for requests that have none: numbers from 1 on that no other request or group has.
struct BatchNames {
    private var taken: Set<ByteKey>
    private var last = 0

    init(_ batch: ODataBatch) {
        taken = Set(batch.messages.compactMap(\.contentID).map { ByteKey($0) })
        for case .changeSet(let changeSet) in batch.parts {
            if let name = changeSet.name {
                taken.insert(ByteKey(name))
            }
        }
    }

    mutating func next(_ prefix: String = "") -> String {
        repeat {
            last += 1
        } while taken.contains(ByteKey(prefix + String(last)))
        return prefix + String(last)
    }
}
