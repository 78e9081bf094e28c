import Soups

/// Several requests in one, or the answers to them: the content of a `$batch`.
///
/// ```swift
/// var change = ODataChangeRequest(.update, entitySet: "Items", key: 7, properties: ["Price": 3], format: .json)
/// change.contentID = "1"
/// var batch = ODataBatch()
/// batch.append(ODataBatch.Message("GET", "Items?$top=5"))
/// batch.append(ODataBatch.ChangeSet([try ODataBatch.Message(change)].compactMap(\.self)))
/// let request = try batch.request(serviceRoot: "https://host/shop.svc", boundary: "batch_1")
/// ```
///
/// `request` gives what to send; the initializer that reads bytes takes what came back. A change set is done as a whole
/// or not at all. Nothing is sent or stored here, and a batch is a value that any thread may use. Source: OData
/// Protocol 4.01, 11.7; OData JSON Format 4.01, 19; MS-ODATA 2.2.7.6; RFC 2046, 5.1.
public struct ODataBatch: Sendable {
    /// The parts in the order of the batch.
    public var parts: [Part] = []
    /// The URL of the rest of the answers, if a JSON batch has one.
    public var nextLink: String?

    /// Creates an empty batch.
    public init() {}

    /// One part of a batch.
    public enum Part: Sendable, Hashable {
        /// A request or an answer of its own.
        case message(Message)
        /// Requests that are done together, or the answers to them.
        case changeSet(ChangeSet)
    }

    /// Requests that a service does all or not at all, or the answers to them.
    public struct ChangeSet: Sendable, Hashable {
        /// The requests or answers in order.
        public var messages: [Message]
        /// The name of the group in a JSON batch; nil for one that the writer names.
        public var name: String?

        /// Creates a change set.
        public init(_ messages: [Message], name: String? = nil) {
            self.messages = messages
            self.name = name
        }

        /// Whether an answer in it is an error: nothing of the change set was done.
        public var isFailed: Bool { messages.contains(where: \.isError) }
    }

    /// Appends a request or an answer of its own.
    public mutating func append(_ message: Message) { parts.append(.message(message)) }

    /// Appends a change set.
    public mutating func append(_ changeSet: ChangeSet) { parts.append(.changeSet(changeSet)) }

    /// All requests or answers in order, those of change sets too.
    public var messages: [Message] {
        parts.flatMap { part in
            switch part {
            case .message(let message): [message]
            case .changeSet(let changeSet): changeSet.messages
            }
        }
    }

    /// Limits for a batch that is read, or sent in a request. One that exceeds one of them throws `limitExceeded`.
    public struct Limits: Sendable, Hashable {
        /// The maximum number of bytes; 64 MiB.
        public var totalBytes = 64 << 20
        /// The maximum number of requests or answers, and of parts; 1,000.
        public var parts = 1_000
        /// The maximum number of headers of a part, and of a request or answer in it; 100.
        public var headers = 100

        /// Creates the default limits.
        public init() {}
    }

    /// Whether a batch has requests or answers.
    public enum Direction: String, Sendable {
        /// What a client sends.
        case request
        /// What a service answers.
        case response
    }

    /// How a batch is written.
    public enum Format: String, Sendable {
        /// MIME parts, which every version has.
        case multipart
        /// A JSON object, since version 4.01. Some services of 4.0 read it too.
        case json
    }
}
