import JSONText
import Soups

/// The fields that every target names, and the definition that they come from.
struct TargetFields: Sendable {
    let id: String
    let modification: String
    private let json: JSONObject

    init(_ reader: DefinitionReader) throws(Fault) {
        id = try reader.name("idFieldName") ?? "Id"
        modification = try reader.name("modificationDateFieldName") ?? "LastModifiedDate"
        json = reader.json
    }

    /// The definition with its defaults filled in; members that no target knows are kept.
    func json(_ members: [(String, JSONValue)]) -> JSONObject {
        var json = json
        for (name, value) in members {
            json[name] = value
        }
        json["idFieldName"] = .string(id)
        json["modificationDateFieldName"] = .string(modification)
        return json
    }

    /// A list of fields followed by those that every target needs, each once.
    func completing(_ fields: [String]) -> [String] {
        var all = fields
        for needed in [id, modification]
        where !all.contains(where: { $0.lowercasedASCII.utf8.elementsEqual(needed.lowercasedASCII.utf8) }) {
            all.append(needed)
        }
        return all
    }
}

extension String {
    /// The text with its ASCII capitals in lower case.
    var lowercasedASCII: String {
        String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
