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

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    static func object(_ text: String) -> JSONValue? { withBytes(of: text) { object($0[...]) } }

    private static func object(_ text: Bytes) -> JSONValue? {
        guard let semicolon = text.firstIndex(of: UInt8(ascii: ";")),
            var object = shape(text[text.index(after: semicolon)...])
        else { return nil }
        let system = text[..<semicolon].dropFirst("SRID=".count)
        object["crs"] = [
            "type": "name", "properties": ["name": .string("EPSG:" + String(decoding: system, as: UTF8.self))],
        ]
        return .object(object)
    }

    private static func shape(_ text: Bytes) -> JSONObject? {
        guard let open = text.firstIndex(of: UInt8(ascii: "(")), text.last == UInt8(ascii: ")") else { return nil }
        let word = String(decoding: text[..<open], as: UTF8.self).lowercased()
        let inner = text[(open + 1)...].dropLast()
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

    private static func positions(_ text: Bytes) -> JSONValue {
        .array(
            items(of: text).map { item in
                item.first == UInt8(ascii: "(") ? positions(item.dropFirst().dropLast()) : position(item)
            })
    }

    private static func position(_ text: Bytes) -> JSONValue {
        var numbers: [JSONValue] = []
        var rest = text
        while let end = rest.firstIndex(of: 0x20) {
            numbers.append(number(rest[..<end]))
            rest = rest[(end + 1)...]
        }
        numbers.append(number(rest))
        return .array(numbers)
    }

    private static func number(_ text: Bytes) -> JSONValue {
        // A number without leading zeros is most often a short integer.
        if let first = text.first, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first),
            let integer = ShortNumber.integer(UnsafeBufferPointer(rebasing: text))
        {
            return .number(JSONNumber(integer))
        }
        return (try? JSONValue(parsing: String(decoding: text, as: UTF8.self))) ?? .null
    }

    /// Splits at the commas outside of parentheses.
    private static func items(of text: Bytes) -> [Bytes] {
        var items: [Bytes] = []
        var depth = 0
        var start = text.startIndex
        StepCounter.add(text.count)
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: ",") where depth == 0:
                items.append(text[start..<index])
                start = index + 1
            default: continue
            }
        }
        if start < text.endIndex {
            items.append(text[start...])
        }
        return items
    }
}
