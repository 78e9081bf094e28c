/// The OData calls.
extension CallSignature {
    static let odata: [CallSignature] = [
        text("odata.parseURL", ["url"]),
        text("odata.parseFilter", ["text"]),
        text("odata.parseOrderBy", ["text"]),
        text("odata.parseExpand", ["text"]),
        text("odata.parseSelect", ["text"]),
        text("odata.parseSearch", ["text"]),
        text("odata.formatFilter", ["text"]),
        text("odata.evaluate", ["filter", "entity", "root"]),
        text("odata.parsePayload", ["text", "base64", "contentType", "baseURL"]),
        CallSignature("odata.parseMetadata", ["text", "base64", "strict"], needs: [.odata, .metadata]),
        text(
            "odata.changeRequest",
            [
                "operation", "entitySet", "key", "properties", "original", "etag", "serviceRoot", "format", "bind",
                "prefer", "returns", "ifMatch", "contentType", "contentId", "tunnel", "repeatability",
            ]),
        text("odata.writeEntry", ["entry", "format", "types", "ieee754"]),
        text("odata.keyText", ["key"]),
        text(
            "odata.batchRequest", ["requests", "format", "serviceRoot", "boundary", "prefer"], needs: [.odata, .batch]),
        text("odata.parseBatch", ["text", "base64", "contentType", "direction"], needs: [.odata, .batch]),
        text("odata.querySoup", soupQuery, needs: [.odata, .offlineOData]),
        text(
            "odata.explainSoupQuery", soupQuery, needs: [.odata, .offlineOData, .explain], dependsOnBackEnd: true),
        text("odata.applyOptions", ["query", "entries", "now"]),
    ]

    /// The arguments of a query over a soup.
    private static let soupQuery = ["soupName", "query", "pageSize", "relations", "now", "token"]

    /// A call on OData texts, which has a version and may have metadata to check them against.
    private static func text(
        _ name: String, _ arguments: [String], needs capabilities: [Capability] = [.odata],
        dependsOnBackEnd: Bool = false
    ) -> CallSignature {
        CallSignature(
            name, arguments + ["version", "metadata", "entityType"], needs: capabilities,
            dependsOnBackEnd: dependsOnBackEnd)
    }
}
