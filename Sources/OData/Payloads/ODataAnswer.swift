public import Soups

/// What a service answered to one request: the payload with what the headers say about it.
///
/// ```swift
/// let answer = try ODataAnswer(
///     status: 201, headers: [("OData-Version", "4.0"), ("ETag", "W/\"1\"")], body: Array(#"{"ID":7}"#.utf8))
/// let etag = answer.etag
/// let key = answer.entry?["ID"]
/// ```
///
/// Version and format are found from the headers, or else from the first bytes. A value that any thread may use;
/// nothing is stored. Source: OData Protocol 4.01, 8; MS-ODATA 2.2.5.
public struct ODataAnswer: Sendable {
    /// The status of the answer.
    public let status: Int
    /// The headers as given.
    public let headers: [(name: String, value: String)]
    /// The content of the body; nil for an empty body.
    public let payload: ODataPayload?
    /// The version that a header names; `nil` if no header names one that is known.
    public let version: ODataVersion?

    /// Reads an answer. O(n) in the size of the body.
    ///
    /// A body with a status of 400 or more that is not an OData payload, such as a page of HTML or a cut text, is a raw
    /// value. Throws the faults of `ODataPayloadReader` for other bodies.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - headers: The headers, in any case.
    ///   - body: The body, compressed by gzip or not.
    ///   - options: What the answer itself does not say: the URL of the request, the model, limits. Its version and
    ///     Content-Type are used where there is no header.
    public init(
        status: Int, headers: [(name: String, value: String)], body: [UInt8], options: PayloadOptions = PayloadOptions()
    ) throws(Fault) {
        self.status = status
        self.headers = headers
        var options = options
        version = (Self.value("OData-Version", headers) ?? Self.value("DataServiceVersion", headers))
            .flatMap(ODataVersion.init(header:))
        options.version = version ?? options.version
        options.isOfFailure = status >= 400
        if let type = Self.value("Content-Type", headers) {
            options.contentType = ContentType(type)
        }
        guard !body.isEmpty || options.contentType?.mediaType.utf8.starts(with: "text/".utf8) == true,
            status != 204, status != 304
        else {
            payload = nil
            return
        }
        do throws(Fault) {
            payload = try ODataPayload(reading: body, options: options)
        } catch {
            guard status >= 400 else {
                throw error
            }
            payload = RawBody.payload(body, options.contentType, isDecodedText: options.isDecodedText)
        }
    }

    /// Returns the value of the first header with a name, in any case; `nil` if the answer has no such header.
    public subscript(_ header: String) -> String? { Self.value(header, headers) }

    private static func value(_ name: String, _ headers: [(name: String, value: String)]) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The entity in the body, if it is one.
    public var entry: ODataEntry? {
        if case .entry(let entry) = payload {
            entry
        } else {
            nil
        }
    }

    /// The collection in the body, if it is one.
    public var feed: ODataFeed? {
        if case .feed(let feed) = payload {
            feed
        } else {
            nil
        }
    }

    /// The error in the body, if it is one.
    public var error: ODataPayload.ErrorBody? {
        if case .error(let body) = payload {
            body
        } else {
            nil
        }
    }

    /// The ETag of the entity: that of the header, or else that of the body.
    public var etag: String? { self["ETag"] ?? entry?.etag }

    /// The id of the entity: that of `OData-EntityId` (version 4), `DataServiceId` (3.0) or `Location`, or else that of
    /// the body.
    public var entityID: String? {
        self["OData-EntityId"] ?? self["DataServiceId"] ?? self["Location"] ?? entry?.id?.resolved
    }

    /// The preferences that the service followed, as written.
    public var preferenceApplied: String? { self["Preference-Applied"] }

    /// The URL of the next page.
    public var nextLink: URLReference? {
        if case .links(_, _, let nextLink) = payload {
            nextLink
        } else {
            feed?.nextLink
        }
    }

    /// The URL of later changes.
    public var deltaLink: URLReference? { feed?.deltaLink }
}

extension ODataVersion {
    /// The version that a header names: `4.01`, `2.0;`, `3.0;NetFx`; nil for others.
    public init?(header: String) {
        self.init(rawValue: header.prefix { $0 != ";" }.filter { $0 != " " })
    }
}
