import JSONText
import Soups
import StepCounting

/// Reads a JSON batch: requests or answers, with groups.
///
/// Source: OData JSON Format 4.01, 19.
struct JSONBatchReader {
    let direction: ODataBatch.Direction?
    let limits: ODataBatch.Limits
    private var ids: Set<ByteKey> = []
    private var groups: [ByteKey: Int] = [:]

    private init(direction: ODataBatch.Direction?, limits: ODataBatch.Limits) {
        self.direction = direction
        self.limits = limits
    }

    /// The batch of a document. Faults have offsets in its bytes.
    static func read(
        _ bytes: [UInt8], direction: ODataBatch.Direction?, limits: ODataBatch.Limits
    ) throws(Fault) -> ODataBatch {
        try JSONRoot.read(bytes) { (root) throws(Fault) in
            var reader = JSONBatchReader(direction: direction, limits: limits)
            return try reader.batch(root)
        }
    }

    private mutating func batch(_ root: JSONNode) throws(Fault) -> ODataBatch {
        guard root.kind == .object, let list = root["requests"] ?? root["responses"], list.kind == .array else {
            throw Fault(
                .syntax, "not a JSON batch: expected an object with requests or responses", offset: root.offset)
        }
        let found = root["requests"] == nil ? ODataBatch.Direction.response : .request
        guard direction == nil || direction == found else {
            throw Fault(
                .syntax,
                found == .response ? "the batch has answers, not requests" : "the batch has requests, not answers",
                offset: list.offset)
        }
        var batch = ODataBatch()
        batch.nextLink = try text(root["@nextLink"] ?? root["@odata.nextLink"], "@nextLink")
        var count = 0
        for node in list.elements {
            count += 1
            guard count <= limits.parts else {
                throw Fault(
                    .limitExceeded, "the batch has more than \(limits.parts) parts", offset: node.offset)
            }
            try add(node, found, to: &batch)
        }
        for name in groups.keys where ids.contains(name) {
            throw Fault(.syntax, "a group has the name of a request", offset: list.offset)
        }
        return batch
    }

    private mutating func add(
        _ node: JSONNode, _ direction: ODataBatch.Direction, to batch: inout ODataBatch
    ) throws(Fault) {
        StepCounter.add(node.range.count)
        guard node.kind == .object else {
            throw Fault(.syntax, "a request or answer of a JSON batch must be an object", offset: node.offset)
        }
        var message = ODataBatch.Message(direction == .request ? try request(node) : try answer(node))
        guard let id = try text(node["id"], "id"), !id.isEmpty else {
            throw Fault(.syntax, "a request or answer of a JSON batch has no id", offset: node.offset)
        }
        message.contentID = id
        message.condition = try text(node["if"], "if")
        message.headers = try headers(node["headers"], isOfRequest: direction == .request)
        message.body = try JSONBatchBody.bytes(of: node["body"], ContentType(message["content-type"] ?? ""))
        let group = try text(node["atomicityGroup"], "atomicityGroup")
        guard group?.isEmpty != true else {
            throw Fault(.syntax, "a group of a JSON batch has no name", offset: node.offset)
        }
        if group != nil, case .request(let method, _) = message.start, method == "GET" {
            throw Fault(
                .syntax, "a change set must not contain a GET", offset: node["method"]?.offset ?? node.offset)
        }
        message.dependsOn = try dependencies(node["dependsOn"], in: group.map { ByteKey($0) })
        // Checked after the dependencies, which lead only backwards.
        guard ids.insert(ByteKey(id)).inserted else {
            throw Fault(.syntax, "an id is used twice in the batch", offset: node["id"]?.offset ?? node.offset)
        }
        guard let group else {
            return batch.append(message)
        }
        try add(message, group, direction, at: node.offset, to: &batch)
    }

    /// Adds a member of a group. The requests of a group are next to each other; answers come in any order.
    private mutating func add(
        _ message: ODataBatch.Message, _ group: String, _ direction: ODataBatch.Direction, at offset: Int,
        to batch: inout ODataBatch
    ) throws(Fault) {
        guard let position = groups[ByteKey(group)], case .changeSet(var changeSet) = batch.parts[position] else {
            groups[ByteKey(group)] = batch.parts.count
            return batch.append(ODataBatch.ChangeSet([message], name: group))
        }
        guard direction == .response || position == batch.parts.count - 1 else {
            throw Fault(.syntax, "the requests of a group must be next to each other", offset: offset)
        }
        batch.parts[position] = .message(message)
        changeSet.messages.append(message)
        batch.parts[position] = .changeSet(changeSet)
    }

    private func request(_ node: JSONNode) throws(Fault) -> ODataBatch.Message.Start {
        guard let method = try text(node["method"], "method"), let url = try text(node["url"], "url"),
            BatchText.isToken(method.utf8), BatchText.isValue(url.utf8)
        else {
            throw Fault(.syntax, "a request of a JSON batch needs a method and a url", offset: node.offset)
        }
        guard !BatchText.isBatch(url) else {
            throw Fault(.syntax, "a batch is nested in a batch", offset: node.offset)
        }
        return .request(method: method.uppercased(), url: url)
    }

    private func answer(_ node: JSONNode) throws(Fault) -> ODataBatch.Message.Start {
        guard let status = node["status"]?.int64, (100...599).contains(status) else {
            throw Fault(
                .syntax, "an answer of a JSON batch needs a status from 100 to 599", offset: node.offset)
        }
        return .answer(status: Int(status), reason: "")
    }

    private func headers(_ node: JSONNode?, isOfRequest: Bool) throws(Fault) -> [ODataBatch.Message.Header] {
        guard let node, !node.isNull else {
            return []
        }
        guard node.kind == .object else {
            throw Fault(.syntax, "the headers of a JSON batch must be an object", offset: node.offset)
        }
        var headers: [ODataBatch.Message.Header] = []
        var names: Set<ByteKey> = []
        for member in node.members {
            guard headers.count < limits.headers else {
                throw Fault(
                    .limitExceeded, "a message of the batch has more than \(limits.headers) headers",
                    offset: member.value.offset)
            }
            guard let value = member.value.string, BatchText.isValue(value.utf8) else {
                throw Fault(
                    .syntax, "the value of a header must be a string without control characters",
                    offset: member.value.offset)
            }
            let name = member.name.string.lowercased()
            guard BatchText.isToken(name.utf8), names.insert(ByteKey(name)).inserted else {
                throw Fault(
                    .syntax, "a header has a name that is not allowed, or is given twice", offset: member.value.offset)
            }
            guard !isOfRequest || BatchText.isAllowedInPart(name) else {
                throw BatchText.forbidden(name, at: member.value.offset)
            }
            headers.append(.init(name, value))
        }
        return headers
    }

    /// The ids and groups that a message depends on; its own group is not allowed.
    private func dependencies(_ node: JSONNode?, in own: ByteKey?) throws(Fault) -> [String] {
        guard let node, !node.isNull else {
            return []
        }
        guard node.kind == .array else {
            throw Fault(.syntax, "dependsOn must be an array of ids", offset: node.offset)
        }
        var names: [String] = []
        for element in node.elements {
            guard let name = element.string,
                ids.contains(ByteKey(name)) || (groups[ByteKey(name)] != nil && ByteKey(name) != own)
            else {
                throw Fault(
                    .syntax, "dependsOn names a request or group that is not before this one", offset: element.offset)
            }
            names.append(name)
        }
        return names
    }

    private func text(_ node: JSONNode?, _ name: String) throws(Fault) -> String? {
        guard let node, !node.isNull else { return nil }
        guard let text = node.string else {
            throw Fault(.syntax, "\(name) must be a string", offset: node.offset)
        }
        return text
    }
}
