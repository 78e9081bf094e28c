import JSONText
import Soups
import StepCounting

extension ODataChangeRequest {
    /// A link that a change sets: a navigation property, and the URLs of the entities that it is to lead to.
    ///
    /// Written as `Name@odata.bind` in JSON light of 3.0 and in 4.0, as `{"@id": ...}` in 4.01, as
    /// `{"__metadata": {"uri": ...}}` in verbose JSON, and as a `link` element in Atom.
    public struct Link: Sendable, Hashable {
        /// The name of the navigation property.
        public var name: String
        /// The URLs as they are sent: absolute, relative, or `$1` for an entity that the same change set creates.
        public var targets: [String]
        /// Whether the navigation property is a collection.
        public var isCollection: Bool

        /// Links to one entity; nil removes the link.
        public init(_ name: String, to target: String?) {
            self.name = name
            targets = target.map { [$0] } ?? []
            isCollection = false
        }

        /// Links to entities of a collection.
        public init(_ name: String, toAll targets: [String]) {
            self.name = name
            self.targets = targets
            isCollection = true
        }

        /// The link, if it fits the model. Throws `unknownProperty` for an unknown navigation property, `typeMismatch`
        /// for one entity where the property is a collection, or the other way round.
        func checked(_ model: EdmModel?, _ entityType: String?) throws(Fault) -> Link {
            guard let model, let entityType else {
                return self
            }
            guard let navigation = model.navigation(name, of: entityType) else {
                guard model.property(name, of: entityType) == nil, model.isOpen(entityType) else {
                    throw Fault(
                        .unknownProperty, "the type has no navigation property of this name", context: [.path(name)])
                }
                return self
            }
            guard navigation.type.isCollection == isCollection else {
                throw Fault(
                    .typeMismatch,
                    isCollection
                        ? "the navigation property leads to one entity; give one URL, not an array"
                        : "the navigation property is a collection; give its URLs as an array",
                    context: [.path(name)])
            }
            return self
        }
    }
}

extension ODataChangeRequest.Link {
    /// The member of a JSON object.
    func member(version: ODataVersion, isVerbose: Bool) -> (String, JSONValue) {
        if isVerbose {
            return (name, value { ["__metadata": ["uri": .string($0)]] })
        }
        if version == .v401 {
            return (name, value { ["@id": .string($0)] })
        }
        return (name + "@odata.bind", value { .string($0) })
    }

    private func value(_ written: (String) -> JSONValue) -> JSONValue {
        StepCounter.add(targets.count)
        return isCollection ? .array(targets.map(written)) : targets.first.map(written) ?? .null
    }

    /// Appends the elements of an Atom entry. Throws `unsupported` for the removal of a link, which Atom cannot say.
    func append(to text: inout String, version: ODataVersion) throws(Fault) {
        guard isCollection || !targets.isEmpty else {
            throw Fault(
                .unsupported, "the removal of a link is not written in Atom; send the change as JSON",
                context: [.path(name)])
        }
        let namespace = version.isV4 ? "http://docs.oasis-open.org/odata/ns" : AtomRole.dataURI
        let name = try AtomWriter.attribute(name)
        let type = "application/atom+xml;type=" + (isCollection ? "feed" : "entry")
        let start = "<link rel=\"\(namespace)/related/\(name)\" type=\"\(type)\" title=\"\(name)\" href=\""
        for target in targets {
            text += start
            text += try AtomWriter.attribute(target)
            text += "\"/>"
        }
    }
}
