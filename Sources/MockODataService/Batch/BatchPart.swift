import JSONText
import ServiceTransport

/// A request within a batch.
struct BatchPart {
    var method = "GET"
    /// As it came: absolute, below the host, below the root, or `$1/Items`.
    var url = ""
    var headers: [Pair] = []
    var body: [UInt8] = []
    /// The Content-ID, or the id of JSON.
    var id: String?
    /// Equal for requests that are done together or not at all; nil for a request of its own.
    var group: String?
    /// The ids of requests that have to be done before.
    var needs: [String] = []
}

/// The answer to a part.
struct BatchResult {
    var part: BatchPart
    var reply: MockReply
    /// Whether it stands for all parts of its change set.
    var isOfGroup = false
}
