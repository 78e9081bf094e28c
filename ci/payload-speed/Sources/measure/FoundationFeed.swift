import Foundation
import FoundationXML

/// Reads the same Atom feed with Foundation's parser into the same kinds of values: properties by name, numbers, dates
/// and guids read by their types.
final class FoundationFeed: NSObject, XMLParserDelegate {
    enum Value {
        case null
        case integer(Int64)
        case double(Double)
        case decimal(Decimal)
        case boolean(Bool)
        case guid(UUID)
        case date(Date)
        case text(String)
        case complex([String: Value])
    }

    private struct Property {
        var name: String
        var type: String?
        var isNull: Bool
        var members: [String: Value] = [:]
    }

    private struct Entry {
        var id = ""
        var etag: String?
        var links: [(rel: String, href: String)] = []
        var properties: [String: Value] = [:]
    }

    private var count = 0
    private var entries: [Entry] = []
    private var open: [Property] = []
    private var isInProperties = false
    private var text = ""
    private let data = "http://schemas.microsoft.com/ado/2007/08/dataservices"

    static func count(_ path: String) throws -> Int {
        guard let stream = InputStream(fileAtPath: path) else {
            throw CocoaError(.fileReadNoSuchFile)
        }
        let parser = XMLParser(stream: stream)
        parser.shouldProcessNamespaces = true
        let feed = FoundationFeed()
        parser.delegate = feed
        guard parser.parse() else {
            throw parser.parserError ?? CocoaError(.fileReadCorruptFile)
        }
        return feed.count
    }

    func parser(
        _: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        text = ""
        if isInProperties {
            guard namespaceURI == data else { return }
            open.append(Property(name: name, type: attributes["m:type"], isNull: attributes["m:null"] == "true"))
            return
        }
        switch name {
        case "entry":
            var entry = Entry()
            entry.etag = attributes["m:etag"]
            entries.append(entry)
        case "link":
            if !entries.isEmpty {
                entries[entries.count - 1].links.append((attributes["rel"] ?? "", attributes["href"] ?? ""))
            }
        case "properties": isInProperties = true
        default: break
        }
    }

    func parser(_: XMLParser, foundCharacters string: String) { text += string }

    func parser(_: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        if isInProperties, let property = open.popLast() {
            let value = property.members.isEmpty ? Self.value(property, text) : .complex(property.members)
            if open.isEmpty {
                entries[entries.count - 1].properties[property.name] = value
            } else {
                open[open.count - 1].members[property.name] = value
            }
            return
        }
        switch name {
        case "properties": isInProperties = false
        case "id": if !entries.isEmpty { entries[entries.count - 1].id = text }
        case "entry":
            entries.removeLast()
            // An entry inside another belongs to that.
            if entries.isEmpty {
                count += 1
            }
        default: break
        }
    }

    private static func value(_ property: Property, _ text: String) -> Value {
        if property.isNull {
            return .null
        }
        switch property.type {
        case "Edm.Int32", "Edm.Int16", "Edm.Int64": return Int64(text).map { .integer($0) } ?? .null
        case "Edm.Double": return Double(text).map { .double($0) } ?? .null
        case "Edm.Decimal": return Decimal(string: text).map { .decimal($0) } ?? .null
        case "Edm.Boolean": return .boolean(text == "true")
        case "Edm.Guid": return UUID(uuidString: text).map { .guid($0) } ?? .text(text)
        // Its dates know a fraction only where they must have one.
        case "Edm.DateTimeOffset":
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
            return (try? style.parse(text)).map { .date($0) } ?? .text(text)
        default: return .text(text)
        }
    }
}
