import Soups
import StepCounting

extension AtomWriter {
    /// Writes properties as an entry, in the given order.
    ///
    /// - Parameter type: The type to state in a category; nil for the declared one.
    static func entry(
        _ members: [ChangeValue.Member], type: String?, links: [ODataChangeRequest.Link],
        version: ODataVersion
    ) throws(Fault) -> String {
        var text = start(version: version)
        if let type {
            let scheme = (version.isV4 ? "http://docs.oasis-open.org/odata/ns" : AtomRole.dataURI) + "/scheme"
            text += "<category term=\"\(try attribute((version.isV4 ? "#" : "") + type))\" scheme=\"\(scheme)\"/>"
        }
        for link in links {
            try link.append(to: &text, version: version)
        }
        text += propertiesStart
        try RepeatedNames.check(members.map(\.name))
        for member in members {
            try append(member.value, try element(member.name), version, path: ValuePath(member.name), to: &text)
        }
        text += end
        return text
    }

    private static func append(
        _ value: ChangeValue, _ element: String, _ version: ODataVersion, path: ValuePath, isItem: Bool = false,
        to text: inout String
    ) throws(Fault) {
        StepCounter.add()
        func write(_ type: String?, _ content: String) throws(Fault) {
            var escapedType: String?
            if let type {
                escapedType = try attribute(type)
            }
            append(element, type: escapedType, content: content, to: &text)
        }
        switch value {
        case .null: text += "<\(element) m:null=\"true\"/>"
        case .primitive(.spatial(let type, let shape)):
            guard let object = GeoJSONText.object(shape) else {
                throw Fault(.invalidLiteral, "not a valid spatial value", context: [.path(path.text)])
            }
            try write(isItem ? nil : typeName(type.rawValue, version), try GMLText.element(object, path: path))
        case .shape(let type, let shape):
            try write(isItem ? nil : typeName(type.rawValue, version), try GMLText.element(shape, path: path))
        case .related: throw unsupported("related entities", path)
        case .primitive(let value):
            // The items of a collection have the type of the collection.
            let type = isItem || value.primitiveType == .string ? nil : value.primitiveType
            try write(type.map { typeName($0.rawValue, version) }, try escaped(value.canonicalText ?? ""))
        case .enumeration(let type, let members, _):
            try write(isItem ? nil : typeName(type, version), try escaped(members))
        case .complex(let type, let isDerived, let members):
            try RepeatedNames.check(members.map(\.name))
            var content = ""
            for member in members {
                try append(
                    member.value, try Self.element(member.name), version, path: path.member(member.name), to: &content)
            }
            try write(isItem && !isDerived ? nil : typeName(type, version), content)
        case .collection(let type, let values):
            try checkCollections(version, path)
            guard !type.isEmpty else {
                throw unsupported("collections of different or unknown types", path)
            }
            var content = ""
            let item = version.isV4 ? "m:element" : "d:element"
            for (index, value) in values.enumerated() {
                try append(value, item, version, path: path.item(index), isItem: true, to: &content)
            }
            let name = "Collection(\(version.isV4 ? typeName(type, version, inCollection: true) : type))"
            try write((version.isV4 ? "#" : "") + name, content)
        case .stated(_, let value): try append(value, element, version, path: path, to: &text)
        case .untyped(let value): try append(value, element, version, path: path, to: &text, depth: 0)
        }
    }

    /// The name of a type in m:type: up to version 3.0 as it is, later without `Edm.` for primitive types and with a
    /// hash for others.
    private static func typeName(_ name: String, _ version: ODataVersion, inCollection: Bool = false) -> String {
        guard version.isV4 else {
            return name
        }
        if name.utf8.starts(with: "Edm.".utf8) {
            return String(name.dropFirst("Edm.".count))
        }
        return inCollection ? name : "#" + name
    }
}
