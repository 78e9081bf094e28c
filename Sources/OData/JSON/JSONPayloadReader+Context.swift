import JSONText
import Soups

extension JSONPayloadReader {
    mutating func read(context: String, at offset: Int) throws(Fault) {
        if builder.format == .verbose, !isInsideD {
            builder.format = .light3
        }
        if let found = JSONContext.base(of: base.map { $0.resolve(context) } ?? context) {
            base = found
        }
        builder.expanded = ExpandedNames(context)
        elementType = builder.expectedType(options.entityType, bodyContext: context)
        if lookAhead.isActive {
            restart()
        } else if hasFeed, !isFeedOfContext || linkFormOfContext != nil {
            throw lookAhead.fault(at: offset)
        }
    }

    static func isContext(_ name: String) -> Bool {
        ["@odata.context", "@context", "odata.metadata"].contains { $0.hasBytes(of: name) }
    }

    func isFeed(_ name: String) -> Bool {
        if builder.format == .verbose {
            return name == "results" && !members.contains { $0.name == "__metadata" }
        }
        return name == "value" && isFeedOfContext && !options.readsCollectionsWhole
    }

    /// Whether the context URL, if it is known, allows a feed: it is not that of a service document, which ends with
    /// `$metadata`, of one entity, which may have a property `value`, or of a collection of primitive values.
    var isFeedOfContext: Bool {
        guard let context else { return true }
        return !JSONContext.isOfPrimitives(context) && !JSONContext.isOfEntity(context)
            && !context.hasSuffix("$metadata") && !isOfValues(context)
    }

    /// Whether a context URL leads to values of a primitive type, an enumeration or a type definition of the model. An
    /// empty array has no element that would show it.
    private func isOfValues(_ context: String) -> Bool {
        guard let types = builder.checker, let found = types.type(ofContext: context) else { return false }
        let name = found.type.name
        return types.primitive(name) != nil || types.model.enumType(name) != nil
    }

    /// Whether a member of this name may accompany the entries of a feed.
    func isEnvelope(_ name: String) -> Bool {
        switch builder.format {
        case .verbose:
            return name == "__count" || name == "__next" || name == "__delta" || name.utf8.first == UInt8(ascii: "@")
                || Self.isContext(name)
        case .light3:
            return name.utf8.contains(UInt8(ascii: ".")) && name != "odata.error"
                || name.utf8.contains(UInt8(ascii: "@"))
        // Some services write `odata.nextLink` in version 4 too. Property names have no dots.
        case .v4:
            return name.utf8.contains(UInt8(ascii: "@")) || name.utf8.first == UInt8(ascii: "#")
                || name.utf8.starts(with: "odata.".utf8)
        }
    }
}
