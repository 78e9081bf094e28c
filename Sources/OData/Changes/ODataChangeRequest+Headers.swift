import Soups

extension ODataChangeRequest {
    /// What a service should answer with.
    public enum Answer: String, Sendable {
        /// The entity as it is after the change.
        case representation
        /// Nothing but headers.
        case minimal
    }

    /// The headers of the request, named as in the standards; none if nothing is to be sent.
    ///
    /// In this order: `Content-Type`, `Accept`, the two version headers, `If-Match`, `Prefer`, `X-HTTP-Method` and
    /// `Content-ID`. An answer is asked for by `return=` in version 4, by `return-content` or `return-no-content` in
    /// 3.0, and not at all before, where services do not know it. Throws `invalidArguments` for a control character in
    /// a text of the caller, which would end its line.
    public var headers: [(name: String, value: String)] {
        get throws(Fault) {
            guard !isEmpty else {
                return []
            }
            var headers: [(name: String, value: String)] = []
            if operation != .delete {
                headers.append(("Content-Type", try BatchText.value(contentType ?? format.contentType)))
            }
            headers.append(("Accept", format.contentType))
            headers.append((version.isV4 ? "OData-Version" : "DataServiceVersion", version.rawValue))
            headers.append((version.isV4 ? "OData-MaxVersion" : "MaxDataServiceVersion", version.rawValue))
            if let etag, operation != .insert {
                headers.append(("If-Match", try BatchText.value(etag)))
            }
            let preferences = [returns.flatMap { preference(for: $0) }, prefer].compactMap(\.self)
            if !preferences.isEmpty {
                headers.append(("Prefer", try BatchText.value(preferences.joined(separator: ", "))))
            }
            if isTunnelled, operation != .insert {
                headers.append(("X-HTTP-Method", verb))
            }
            if let contentID {
                headers.append(("Content-ID", try BatchText.name(contentID)))
            }
            return headers
        }
    }

    private func preference(for answer: Answer) -> String? {
        switch (answer, version) {
        case (_, .v1), (_, .v2): nil
        case (.representation, .v3): "return-content"
        case (.minimal, .v3): "return-no-content"
        case (.representation, .v4), (.representation, .v401), (.minimal, .v4), (.minimal, .v401):
            "return=" + answer.rawValue
        }
    }

    /// The method of the change itself, which a tunnelled request has in a header.
    var verb: String {
        switch operation {
        case .insert: "POST"
        case .update: version <= .v2 ? "MERGE" : "PATCH"
        case .replace: "PUT"
        case .delete: "DELETE"
        }
    }
}

extension ODataChangeRequest.Format {
    /// The media type of the format.
    var contentType: String {
        switch self {
        case .atom: "application/atom+xml"
        case .verboseJSON: "application/json;odata=verbose"
        case .json: "application/json"
        }
    }
}
