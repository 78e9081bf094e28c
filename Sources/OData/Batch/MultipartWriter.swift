import Soups
import StepCounting

extension ODataBatch {
    /// Returns the batch as a multipart body, with its Content-Type: requests to send, or answers as a service gives
    /// them.
    ///
    /// - Parameters:
    ///   - boundary: The boundary, whose change sets are then `changeset_1` and so on; nil for a random one.
    ///   - version: The version of the protocol. From 4.0 on every request of a change set gets a Content-ID.
    /// - Throws: `invalidArguments` for a boundary, method, URL or header that is not allowed, for a header that is
    ///   given twice, for a Content-ID that is empty or twice in a change set, from version 4.0 on also twice in the
    ///   batch, for a dependency that does not lead backwards, and for a read in a change set; `unsupported` for a
    ///   message with a condition; `syntax` for a batch in the batch.
    public func multipart(
        boundary: String? = nil, version: ODataVersion = .v4
    ) throws(Fault) -> (contentType: String, body: [UInt8]) {
        try MultipartWriter(version: version, given: boundary).write(self)
    }
}

/// Writes a batch as multipart. The text is the same for the same batch and boundary.
struct MultipartWriter {
    let version: ODataVersion
    let given: String?

    func write(_ batch: ODataBatch) throws(Fault) -> (contentType: String, body: [UInt8]) {
        if let given, !MultipartBoundary.isValid(given) {
            throw Fault(
                .invalidArguments, "not a boundary of RFC 2046; use up to 70 letters, digits and a few other characters"
            )
        }
        try checkIDs(of: batch)
        try batch.requireBackwardDependencies()
        let digits = MultipartBoundary.randomDigits()
        let bodies = batch.messages.compactMap(\.body)
        let boundary = MultipartBoundary.free(given ?? "batch_" + digits, in: bodies)
        var names = BatchNames(batch)
        var output: [UInt8] = []
        var changeSets = 0
        for part in batch.parts {
            append("--\(boundary)\r\n", to: &output)
            switch part {
            case .message(let message): try append(message, named: message.contentID, to: &output)
            case .changeSet(let changeSet):
                changeSets += 1
                let name = given == nil ? "changeset_\(digits)_\(changeSets)" : "changeset_\(changeSets)"
                try append(changeSet, Self.apart(name, from: boundary), &names, to: &output)
            }
        }
        append("--\(boundary)--\r\n", to: &output)
        return (MultipartBoundary.contentType(boundary), output)
    }

    /// From version 4.0 on an id is unique in the whole batch (OData Protocol 4.01, 11.7.3 and 11.7.7.1).
    private func checkIDs(of batch: ODataBatch) throws(Fault) {
        guard version.isV4 else { return }
        var ids: Set<ByteKey> = []
        for message in batch.messages where message.status == nil {
            guard let id = message.contentID else { continue }
            guard ids.insert(ByteKey(id)).inserted else {
                throw Fault(.invalidArguments, "an id is used twice in the batch", context: [.path(id)])
            }
        }
    }

    /// A name that neither begins with the outer boundary nor is its beginning: readers may compare the start of a
    /// line.
    private static func apart(_ name: String, from boundary: String) -> String {
        var name = name
        while name.utf8.starts(with: boundary.utf8) || boundary.utf8.starts(with: name.utf8) {
            name = "inner_" + name
        }
        return name
    }

    private func append(
        _ changeSet: ODataBatch.ChangeSet, _ name: String, _ names: inout BatchNames, to output: inout [UInt8]
    ) throws(Fault) {
        let boundary = MultipartBoundary.free(name, in: changeSet.messages.compactMap(\.body))
        append("Content-Type: \(MultipartBoundary.contentType(boundary))\r\n\r\n", to: &output)
        try changeSet.requireChanges()
        if !version.isV4 {
            try changeSet.requireClearIDs()
        }
        for message in changeSet.messages {
            append("--\(boundary)\r\n", to: &output)
            let isNamed = message.contentID != nil || !version.isV4 || message.status != nil
            try append(message, named: isNamed ? message.contentID : names.next(), to: &output)
        }
        append("--\(boundary)--\r\n", to: &output)
    }

    private func append(
        _ message: ODataBatch.Message, named contentID: String?, to output: inout [UInt8]
    ) throws(Fault) {
        guard message.condition == nil else {
            throw Fault(.unsupported, "only a JSON batch can have conditions; write the batch as JSON")
        }
        append("Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n", to: &output)
        if let contentID {
            append("Content-ID: \(try BatchText.name(contentID))\r\n", to: &output)
        }
        append("\r\n", to: &output)
        append(try BatchText.start(message.start) + "\r\n", to: &output)
        let headers = try BatchText.headers(of: message)
        for header in headers {
            append("\(header.name): \(header.value)\r\n", to: &output)
        }
        let body = message.body ?? []
        // Only a length tells a body of line ends from blank lines.
        if !body.isEmpty, body.allSatisfy({ $0 == 0x0A || $0 == 0x0D }),
            !headers.contains(where: { $0.name.lowercased() == "content-length" })
        {
            append("Content-Length: \(body.count)\r\n", to: &output)
        }
        append("\r\n", to: &output)
        output += body
        append("\r\n", to: &output)
    }

    private func append(_ text: String, to output: inout [UInt8]) {
        StepCounter.add(text.utf8.count)
        output.append(contentsOf: text.utf8)
    }
}
