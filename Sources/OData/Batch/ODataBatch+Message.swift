import JSONText
public import Soups

extension ODataBatch {
    /// A request or an answer within a batch.
    public struct Message: Sendable, Hashable {
        /// The first line of a message.
        public enum Start: Sendable, Hashable {
            /// A request, with a URL relative to that of the batch or absolute. `$1` as its first segment means what
            /// the request of that Content-ID creates.
            case request(method: String, url: String)
            /// An answer.
            case answer(status: Int, reason: String)
        }

        /// A header field.
        public struct Header: Sendable, Hashable {
            /// The name, in any case.
            public var name: String
            /// The value.
            public var value: String

            /// Creates a header field.
            public init(_ name: String, _ value: String) {
                self.name = name
                self.value = value
            }
        }

        /// The first line.
        public var start: Start
        /// The headers in order.
        public var headers: [Header]
        /// The body; `nil` for a message without one.
        public var body: [UInt8]?
        /// The name of the request in the batch: its Content-ID, or its id in JSON.
        public var contentID: String?
        /// The ids of requests or groups that must be done before, in a JSON batch.
        public var dependsOn: [String] = []
        /// The condition under which the request is done, in a JSON batch: its member `if`.
        public var condition: String?

        /// Creates a message of its parts.
        public init(_ start: Start, headers: [Header] = [], body: [UInt8]? = nil, contentID: String? = nil) {
            self.start = start
            self.headers = headers
            self.body = body
            self.contentID = contentID
        }

        /// Creates a request.
        public init(
            _ method: String, _ url: String, headers: [Header] = [], body: String? = nil, contentID: String? = nil
        ) {
            self.init(
                .request(method: method, url: url), headers: headers, body: body.map { Array($0.utf8) },
                contentID: contentID)
        }

        /// Creates the request of a change; nil if there is nothing to send. Its Content-ID is that of the change.
        ///
        /// Throws the faults of `ODataChangeRequest`. A change with an empty service root gets a relative URL.
        public init?(_ change: ODataChangeRequest) throws(Fault) {
            guard let method = change.method else { return nil }
            let headers = try change.headers.map { Header($0.name, $0.value) }.filter { $0.name != "Content-ID" }
            self.init(
                method, try change.url(), headers: headers, body: try change.body(), contentID: change.contentID)
        }

        /// Returns the value of the first header with a name, in any case; `nil` if the message has no such header.
        public subscript(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }

        /// The status of an answer; nil for a request.
        public var status: Int? {
            if case .answer(let status, _) = start {
                status
            } else {
                nil
            }
        }

        /// Whether this is an answer with a status of 400 or more.
        public var isError: Bool { (status ?? 0) >= 400 }

        /// Whether this is a request that changes nothing.
        var isRead: Bool {
            if case .request(let method, _) = start {
                ["GET", "HEAD"].contains(method.uppercased())
            } else {
                false
            }
        }
    }
}
