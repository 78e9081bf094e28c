/// The whole answer of a service to one request.
public struct ServiceResponse: Sendable, Hashable {
    /// The HTTP status. Any status is an answer.
    public var status: Int
    /// The headers, in the order in which they came.
    public var headers: [Pair]
    /// The body, without transfer and content encoding.
    public var body: [UInt8]

    /// Creates an answer.
    public init(status: Int, headers: [Pair] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Returns the value of the first header of this name, in any case; `nil` if the answer has no such header.
    public func header(_ name: String) -> String? {
        headers.first { HeaderName.areEqual($0.name, name) }?.value
    }
}

/// Compares the names of headers, which are ASCII and have no case.
private enum HeaderName {
    static func areEqual(_ a: String, _ b: String) -> Bool {
        a.utf8.count == b.utf8.count && a.utf8.elementsEqual(b.utf8) { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
