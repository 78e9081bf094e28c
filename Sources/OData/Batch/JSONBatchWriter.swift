import JSONText
import Soups
import StepCounting

extension ODataBatch {
    /// Returns the batch as a JSON body: requests to send, or answers as a service gives them.
    ///
    /// Requests without an id get a number. A request whose URL begins with `$1` depends on that one. Throws
    /// `invalidArguments` for ids or group names that are empty or used twice, for a read in a group, for a dependency
    /// that does not lead backwards, for a method, URL or header that is not allowed, for a header that is given twice,
    /// and for a text body that is not UTF-8; `invalidJSON` for a body that is not the JSON that its header says;
    /// `syntax` for a batch in the batch. O(n) in the size of the parts.
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
    /// The group of each request that is in one.
    private var groupOfID: [ByteKey: String] = [:]
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
                let group = try changeSet.name.map(BatchText.name) ?? names.next("g")
                guard groups.insert(ByteKey(group)).inserted else {
                    throw Fault(.invalidArguments, "a group name is used twice in the batch")
                }
                try changeSet.requireChanges()
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
        let id = try message.contentID.map { (id) throws(Fault) in try BatchText.name(id) } ?? names.next()
        let dependencies = try dependencies(of: message, in: group)
        guard ids.insert(ByteKey(id)).inserted else {
            throw Fault(.invalidArguments, "an id is used twice in the batch")
        }
        groupOfID[ByteKey(id)] = group
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
        try appendHeaders(of: message)
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

    private mutating func appendHeaders(of message: ODataBatch.Message) throws(Fault) {
        let headers = try BatchText.headers(of: message)
        guard !headers.isEmpty else { return }
        appendMember("headers", .object(JSONObject(headers.map { ($0.name.lowercased(), .string($0.value)) })))
    }

    /// The ids and groups that the message names, the id in its URL, and the other groups that these ids are in, which
    /// must be listed too (OData JSON Format 4.01, 19.1).
    private func dependencies(of message: ODataBatch.Message, in group: String?) throws(Fault) -> [String] {
        let own = group.map { ByteKey($0) }
        for name in message.dependsOn.map({ ByteKey($0) })
        where !ids.contains(name) && !(groups.contains(name) && name != own) {
            throw Fault(
                .invalidArguments, "a request depends on one that is not before it in the batch",
                context: [.path(name.text)])
        }
        var names = message.dependsOn
        var listed = Set(names.map { ByteKey($0) })
        if let id = referencedID(of: message), listed.insert(ByteKey(id)).inserted {
            names.append(id)
        }
        for name in names {
            guard let other = groupOfID[ByteKey(name)], ByteKey(other) != own else { continue }
            if listed.insert(ByteKey(other)).inserted {
                names.append(other)
            }
        }
        return names
    }

    /// The request that the URL begins with, as in `$1/Items`; nil for resources of the service, such as `$metadata`.
    private func referencedID(of message: ODataBatch.Message) -> String? {
        guard case .request(_, let url) = message.start, url.utf8.first == UInt8(ascii: "$") else { return nil }
        let id = String(url.dropFirst().prefix { $0 != "/" && $0 != "?" })
        guard !["metadata", "all", "batch", "entity", "crossjoin"].contains(id), ids.contains(ByteKey(id)) else {
            return nil
        }
        return id
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
