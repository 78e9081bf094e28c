import JSONText
import Soups
import StepCounting

extension ODataBatch {
    /// The batch as a JSON body: requests to send, or answers as a service gives them.
    ///
    /// Requests without an id get a number. A request whose URL begins with `$1` depends on that one. Throws
    /// `invalidArguments` for ids or group names that are used twice, for a dependency that does not lead backwards, and
    /// for a method, URL or header that is not allowed; `invalidJSON` for a body that is not the JSON that its header
    /// says. O(n) in the size of the parts.
    public func json() throws(Fault) -> [UInt8] {
        var writer = JSONBatchWriter(names: BatchNames(self))
        return try writer.write(self)
    }
}

/// Writes a batch as JSON.
struct JSONBatchWriter {
    private var names: BatchNames
    private var ids: Set<ByteKey> = []
    private var groups: Set<ByteKey> = []
    private var output: [UInt8] = []

    init(names: BatchNames) { self.names = names }

    mutating func write(_ batch: ODataBatch) throws(Fault) -> [UInt8] {
        let isAnswer = batch.messages.first?.status != nil
        append(isAnswer ? "{\"responses\":[" : "{\"requests\":[")
        var isFirst = true
        for part in batch.parts {
            switch part {
            case .message(let message): try append(message, group: nil, &isFirst)
            case .changeSet(let changeSet):
                let group = changeSet.name ?? names.next("g")
                guard groups.insert(ByteKey(group)).inserted else {
                    throw Fault(.invalidArguments, "a group name is used twice in the batch")
                }
                for message in changeSet.messages {
                    try append(message, group: group, &isFirst)
                }
            }
        }
        guard ids.isDisjoint(with: groups) else {
            throw Fault(.invalidArguments, "a group has the name of a request")
        }
        append("]")
        if let link = batch.nextLink {
            append(",\"@nextLink\":")
            JSONValue.string(link).append(to: &output)
        }
        append("}")
        return output
    }

    private mutating func append(
        _ message: ODataBatch.Message, group: String?, _ isFirst: inout Bool
    ) throws(Fault) {
        let id = message.contentID ?? names.next()
        let dependencies = try dependencies(of: message)
        guard ids.insert(ByteKey(id)).inserted else {
            throw Fault(.invalidArguments, "an id is used twice in the batch")
        }
        append(isFirst ? "{" : ",{")
        isFirst = false
        appendMember("id", .string(id), isFirst: true)
        if let group {
            appendMember("atomicityGroup", .string(group))
        }
        if !dependencies.isEmpty {
            appendMember("dependsOn", .array(dependencies.map(JSONValue.string)))
        }
        if let condition = message.condition {
            appendMember("if", .string(condition))
        }
        try append(message.start)
        try append(message.headers)
        if let body = message.body {
            append(",\"body\":")
            try JSONBatchBody.append(body, ContentType(message["content-type"] ?? ""), to: &output)
        }
        append("}")
    }

    private mutating func append(_ start: ODataBatch.Message.Start) throws(Fault) {
        switch start {
        case .request(let method, let url):
            appendMember("method", .string(try BatchText.token(method)))
            appendMember("url", .string(try BatchText.url(url)))
        case .answer(let status, _):
            guard (100...599).contains(status) else {
                throw Fault(.invalidArguments, "a status must be a number from 100 to 599")
            }
            appendMember("status", .number(JSONNumber(Int64(status))))
        }
    }

    private mutating func append(_ headers: [ODataBatch.Message.Header]) throws(Fault) {
        var members: [(String, JSONValue)] = []
        for header in headers where BatchText.isAllowedInPart(header.name) {
            members.append((try BatchText.token(header.name).lowercased(), .string(try BatchText.value(header.value))))
        }
        guard !members.isEmpty else { return }
        appendMember("headers", .object(JSONObject(members)))
    }

    /// The ids that the message names, and the one in its URL.
    private func dependencies(of message: ODataBatch.Message) throws(Fault) -> [String] {
        for name in message.dependsOn where !ids.contains(ByteKey(name)) && !groups.contains(ByteKey(name)) {
            throw Fault(
                .invalidArguments, "a request depends on one that is not before it in the batch",
                context: [.path(name)])
        }
        guard case .request(_, let url) = message.start, url.utf8.first == UInt8(ascii: "$") else {
            return message.dependsOn
        }
        let id = String(url.dropFirst().prefix { $0 != "/" && $0 != "?" })
        guard ids.contains(ByteKey(id)), !message.dependsOn.contains(where: { $0.hasBytes(of: id) }) else {
            return message.dependsOn
        }
        return message.dependsOn + [id]
    }

    private mutating func appendMember(_ name: String, _ value: JSONValue, isFirst: Bool = false) {
        append((isFirst ? "\"" : ",\"") + name + "\":")
        value.append(to: &output)
    }

    private mutating func append(_ text: String) {
        StepCounter.add(text.utf8.count)
        output.append(contentsOf: text.utf8)
    }
}
