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

    /// A URL, without blanks and control characters. Throws `syntax` for that of a batch, as the readers do.
    static func url(_ text: String) throws(Fault) -> String {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw Fault(.invalidArguments, "the URL of a request in a batch must be percent-encoded ASCII")
        }
        guard !isBatch(text) else {
            throw Fault(.syntax, "a batch is nested in a batch; add its requests to the outer one")
        }
        return text
    }

    /// Whether a URL is that of a batch, which must not be in another one.
    static func isBatch(_ url: String) -> Bool {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let last = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        return last == "$batch" || last == "%24batch"
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
        guard isValue(text.utf8) else {
            throw Fault(.invalidArguments, "the value of a header has a control character")
        }
        return text
    }

    /// The name of a request or a group: one line that is not empty.
    static func name(_ text: String) throws(Fault) -> String {
        guard !text.isEmpty else {
            throw Fault(.invalidArguments, "the id of a request or the name of a group is empty; leave it out")
        }
        return try value(text)
    }

    /// The headers of a message that may be in a part. Throws `invalidArguments` for a header with a name or value that
    /// is not allowed, and for one that is given twice, which services read differently.
    static func headers(of message: ODataBatch.Message) throws(Fault) -> [ODataBatch.Message.Header] {
        var names: Set<ByteKey> = []
        var headers: [ODataBatch.Message.Header] = []
        for header in message.headers where isAllowedInPart(header.name) {
            guard names.insert(ByteKey(try token(header.name).lowercased())).inserted else {
                throw Fault(
                    .invalidArguments, "a header is given twice in a message of the batch",
                    context: [.path(header.name)])
            }
            headers.append(.init(header.name, try value(header.value)))
        }
        return headers
    }

    static func isToken(_ text: some Collection<UInt8>) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isUnreserved || "!#$%&'*+^`|".utf8.contains($0) }
    }

    /// Whether a text is one line without control characters but tabs.
    static func isValue(_ text: some Collection<UInt8>) -> Bool {
        text.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    private static let forbidden: Set<String> = [
        "authorization", "expect", "from", "max-forwards", "range", "te",
    ]

    /// The fault of a header that must not be in a part. Its value is not in the fault.
    static func forbidden(_ name: String, at offset: Int) -> Fault {
        Fault(
            .syntax, "a request in a batch must not have the header \(name); send it with the batch", offset: offset)
    }

    /// Whether a header may be in a part.
    static func isAllowedInPart(_ name: String) -> Bool { !forbidden.contains(name.lowercased()) }
}
