import JSONText
import StepCounting

/// Converts the text of a spatial literal to GeoJSON with its reference system: `SRID=4326;Point(142.1 64.1)`.
///
/// Source: OData JSON Format 4.01, 7.1. The text must be valid (`SpatialText`); the conversion does not check it again.
enum GeoJSONText {
    private static let shapes = [
        "point": "Point", "linestring": "LineString", "polygon": "Polygon", "multipoint": "MultiPoint",
        "multilinestring": "MultiLineString", "multipolygon": "MultiPolygon",
    ]

    static func object(_ text: String) -> JSONValue? {
        let parts = text.split(separator: ";", maxSplits: 1)
        guard parts.count == 2, let shape = shape(parts[1].utf8) else { return nil }
        var object = shape
        object["crs"] = [
            "type": "name", "properties": ["name": .string("EPSG:" + parts[0].dropFirst("SRID=".count))],
        ]
        return .object(object)
    }

    private static func shape(_ text: Substring.UTF8View) -> JSONObject? {
        guard let open = text.firstIndex(of: UInt8(ascii: "(")), text.last == UInt8(ascii: ")") else { return nil }
        let word = Substring(text[..<open]).lowercased()
        let inner = text[text.index(after: open)...].dropLast()
        if word == "geometrycollection" || word == "collection" {
            var geometries: [JSONValue] = []
            for part in items(of: inner) {
                guard let shape = shape(part) else { return nil }
                geometries.append(.object(shape))
            }
            return JSONObject([("type", "GeometryCollection"), ("geometries", .array(geometries))])
        }
        guard let type = shapes[word] else { return nil }
        let coordinates: JSONValue
        switch type {
        case "Point": coordinates = position(inner)
        // Each point of a list has parentheses of its own.
        case "MultiPoint": coordinates = .array(items(of: inner).map { position($0.dropFirst().dropLast()) })
        default: coordinates = positions(inner)
        }
        return JSONObject([("type", .string(type)), ("coordinates", coordinates)])
    }

    private static func positions(_ text: Substring.UTF8View) -> JSONValue {
        .array(
            items(of: text).map { item in
                item.first == UInt8(ascii: "(") ? positions(item.dropFirst().dropLast()) : position(item)
            })
    }

    private static func position(_ text: Substring.UTF8View) -> JSONValue {
        .array(
            text.split(separator: UInt8(ascii: " ")).map { number in
                (try? JSONValue(parsing: String(Substring(number)))) ?? .null
            })
    }

    /// Splits at the commas outside of parentheses.
    private static func items(of text: Substring.UTF8View) -> [Substring.UTF8View] {
        var items: [Substring.UTF8View] = []
        var depth = 0
        var start = text.startIndex
        StepCounter.add(text.count)
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: ",") where depth == 0:
                items.append(text[start..<index])
                start = text.index(after: index)
            default: continue
            }
        }
        if start < text.endIndex {
            items.append(text[start...])
        }
        return items
    }
}
