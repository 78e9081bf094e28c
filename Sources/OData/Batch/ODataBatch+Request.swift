public import Soups

extension ODataBatch {
    /// What to send for a batch: a `POST`.
    public struct Request: Sendable {
        /// `POST`.
        public let method = "POST"
        /// The URL: the service root and `$batch`.
        public let url: String
        /// The headers, named as in the standards: `Content-Type`, `Accept`, the two version headers, and `Prefer` if
        /// preferences were given.
        public let headers: [(name: String, value: String)]
        /// The body.
        public let body: [UInt8]
    }

    /// Returns the request that sends the batch. O(n) in the size of the parts.
    ///
    /// Headers that must not be in a part are left out: `Authorization`, `Expect`, `From`, `Max-Forwards`, `Range` and
    /// `TE`. The same arguments with a boundary give the same bytes.
    ///
    /// - Parameters:
    ///   - serviceRoot: The URL of the service; empty for a relative URL.
    ///   - format: How the batch is written.
    ///   - version: The version of the protocol.
    ///   - boundary: The boundary of a multipart batch, whose change sets are then `changeset_1` and so on; nil for a
    ///     random one. One that begins a line of a body gets a suffix.
    ///   - prefer: Preferences, sent as `Prefer` as they are.
    ///   - limits: The limits for the batch, of which only that of the parts counts here.
    /// - Throws: `invalidArguments` for a boundary, method, URL or header that is not allowed, for a header that is
    ///   given twice, an empty id, an answer among the requests, a read in a change set, an id that is twice in a
    ///   change set or from version 4.0 on in the batch, a dependency that does not lead backwards, and names of a
    ///   JSON batch that are used twice; `unsupported`
    ///   for JSON before version 4, and for a condition in a multipart batch; `invalidJSON` for a body that is not the
    ///   JSON that its header says; `syntax` for a batch in the batch; `limitExceeded` for more parts than a reader
    ///   with these limits takes.
    public func request(
        serviceRoot: String = "", format: Format = .multipart, version: ODataVersion = .v4, boundary: String? = nil,
        prefer: String? = nil, limits: Limits = Limits()
    ) throws(Fault) -> Request {
        guard max(parts.count, messages.count) <= limits.parts else {
            throw Fault(
                .limitExceeded,
                "the batch has more than \(limits.parts) parts; send it in several, or raise limits.parts")
        }
        for message in messages where message.status != nil {
            throw Fault(.invalidArguments, "an answer is among the requests of the batch")
        }
        let root = serviceRoot.isEmpty || serviceRoot.utf8.last == UInt8(ascii: "/") ? serviceRoot : serviceRoot + "/"
        let written: (contentType: String, body: [UInt8])
        switch format {
        case .multipart:
            written = try multipart(boundary: boundary, version: version)
        case .json:
            guard version.isV4 else {
                throw Fault(
                    .unsupported,
                    "version \(version.rawValue) has no JSON batch; write the batch as multipart")
            }
            written = ("application/json", try json())
        }
        var headers = [("Content-Type", written.contentType)]
        headers.append(("Accept", format == .json ? "application/json" : "multipart/mixed"))
        headers.append((version.isV4 ? "OData-Version" : "DataServiceVersion", version.rawValue))
        headers.append((version.isV4 ? "OData-MaxVersion" : "MaxDataServiceVersion", version.rawValue))
        if let prefer {
            headers.append(("Prefer", try BatchText.value(prefer)))
        }
        return Request(url: try BatchText.value(root) + "$batch", headers: headers, body: written.body)
    }
}
