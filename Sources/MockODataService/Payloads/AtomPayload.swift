import JSONText

/// Writes payloads as Atom and XML of versions 2.0 and 3.0.
struct AtomPayload {
    let context: MockContext
    let namespace: String

    static let data = "http://schemas.microsoft.com/ado/2007/08/dataservices"
    static let metadata = data + "/metadata"
    static let scheme = data + "/scheme"
    private static let names =
        "xmlns=\"http://www.w3.org/2005/Atom\" xmlns:d=\"\(data)\" xmlns:m=\"\(metadata)\""
    private static let declaration = "<?xml version=\"1.0\" encoding=\"utf-8\"?>"

    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\r": result += "&#xD;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private var base: String { "xml:base=\"\(Self.escaped(context.root))\"" }

    func page(_ page: OutPage) -> String {
        var text = Self.declaration + "<feed \(base) \(Self.names)>" + feedHead(page.set, page.count)
        text += page.entities.map { entry($0) }.joined()
        text += page.next.map { "<link rel=\"next\" href=\"\(Self.escaped($0))\"/>" } ?? ""
        return text + "</feed>"
    }

    private func feedHead(_ name: String, _ count: Int?) -> String {
        "<title type=\"text\">\(name)</title><id>\(Self.escaped(context.root + name))</id>"
            + "<updated>2020-01-01T00:00:00Z</updated>" + (count.map { "<m:count>\($0)</m:count>" } ?? "")
    }

    func single(_ entity: OutEntity) -> String {
        Self.declaration + entry(entity, attributes: " \(base) \(Self.names)")
    }

    private func entry(_ entity: OutEntity, attributes: String = "") -> String {
        let etag = entity.etag.map { " m:etag=\"\(Self.escaped($0))\"" } ?? ""
        var text = "<entry\(attributes)\(etag)><id>\(Self.escaped(entity.url))</id><title/>"
        text += "<updated>2020-01-01T00:00:00Z</updated><author><name/></author>"
        text += "<link rel=\"edit\" title=\"\(entity.set)\" href=\"\(Self.escaped(entity.path))\"/>"
        for navigation in entity.navigations {
            text += link(navigation, of: entity)
        }
        text += "<category term=\"\(Self.escaped(entity.type))\" scheme=\"\(Self.scheme)\"/>"
        text += "<content type=\"application/xml\"><m:properties>"
        text += entity.values.map { element($0.value, $0.property) }.joined()
        return text + "</m:properties></content></entry>"
    }

    private func link(_ navigation: OutNavigation, of entity: OutEntity) -> String {
        let kind = navigation.isCollection ? "feed" : "entry"
        var text = "<link rel=\"\(Self.data)/related/\(navigation.name)\" type=\"application/atom+xml;type=\(kind)\""
        text += " title=\"\(navigation.name)\" href=\"\(Self.escaped(entity.path + "/" + navigation.name))\""
        switch navigation.content {
        case .deferred: return text + "/>"
        case .entity(let inner): return text + "><m:inline>\(inner.map { entry($0) } ?? "")</m:inline></link>"
        case .feed(let inner):
            let entries = inner.map { entry($0) }.joined()
            return text + "><m:inline><feed>\(feedHead(navigation.name, nil))\(entries)</feed></m:inline></link>"
        }
    }

    private func element(_ value: JSONValue, _ property: MockProperty, attributes: String = "") -> String {
        let name = "d:" + property.name
        if property.isCollection {
            let items = (value.array ?? []).map { "<d:element>\(content($0))</d:element>" }.joined()
            return "<\(name)\(attributes) m:type=\"Collection(\(property.type))\">\(items)</\(name)>"
        }
        let type = property.type == "Edm.String" ? "" : " m:type=\"\(Self.escaped(property.type))\""
        guard !value.isNull else { return "<\(name)\(attributes)\(type) m:null=\"true\"/>" }
        return "<\(name)\(attributes)\(type)>\(content(value))</\(name)>"
    }

    private func content(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): return Self.escaped(text)
        case .object(let object):
            return object.members.map { member in
                member.value.isNull
                    ? "<d:\(member.name) m:null=\"true\"/>"
                    : "<d:\(member.name)>\(content(member.value))</d:\(member.name)>"
            }.joined()
        default: return value.text()
        }
    }

    // MARK: - Other payloads

    func property(_ value: JSONValue, _ property: MockProperty) -> String {
        Self.declaration
            + element(value, property, attributes: " xmlns:d=\"\(Self.data)\" xmlns:m=\"\(Self.metadata)\"")
    }

    func links(_ urls: [String], isCollection: Bool) -> String {
        let list = urls.map { url in
            "<uri\(isCollection ? "" : " xmlns=\"\(Self.data)\"")>\(Self.escaped(url))</uri>"
        }.joined()
        return Self.declaration + (isCollection ? "<links xmlns=\"\(Self.data)\">\(list)</links>" : list)
    }

    func service(_ sets: [String]) -> String {
        let list = sets.map { "<collection href=\"\($0)\"><atom:title>\($0)</atom:title></collection>" }.joined()
        return Self.declaration
            + "<service \(base) xmlns=\"http://www.w3.org/2007/app\" xmlns:atom=\"http://www.w3.org/2005/Atom\">"
            + "<workspace><atom:title>Default</atom:title>\(list)</workspace></service>"
    }

    static func error(_ error: OutError) -> String {
        declaration + "<m:error xmlns:m=\"\(metadata)\"><m:code>\(escaped(error.code))</m:code>"
            + "<m:message xml:lang=\"en\">\(escaped(error.message))</m:message></m:error>"
    }
}
