import JSONText
import Soups

/// Converts GeoJSON to the text of OData literals: `SRID=4326;Point(142.1 64.1)`.
///
/// Source: OData JSON Format 4.0, 7.1 (GeoJSON of 2008, with a named crs).
enum GeoJSONShape {
    private static let shapes: [(name: StaticString, word: String, depth: Int)] = [
        ("Point", "Point", 0), ("LineString", "LineString", 1), ("Polygon", "Polygon", 2),
        ("MultiPoint", "MultiPoint", 1),
        ("MultiLineString", "MultiLineString", 2), ("MultiPolygon", "MultiPolygon", 3),
    ]

    /// Whether the object has the members of a shape.
    static func isShape(_ node: JSONNode) -> Bool {
        guard let type = node["type"]?.stringText else { return false }
        if type == "GeometryCollection" {
            return node["geometries"]?.kind == .array
        }
        return shapes.contains { type == $0.name } && node["coordinates"]?.kind == .array
    }

    /// The number of collections that may contain each other.
    private static let maximumDepth = 8

    /// Whether an object without a known type is a shape and nothing else. Other members, also of shapes in it, would
    /// be lost.
    static func isOnlyShape(_ node: JSONNode, depth: Int = 0) -> Bool {
        guard depth < maximumDepth, isShape(node) else { return false }
        for member in node.members {
            guard
                member.name == "type" || member.name == "coordinates" || member.name == "geometries"
                    || member.name == "crs" || member.name == "bbox"
            else {
                return false
            }
        }
        for part in node["geometries"]?.elements ?? node.elements where !isOnlyShape(part, depth: depth + 1) {
            return false
        }
        return true
    }

    /// The literal of a shape.
    ///
    /// - Parameter isGeography: Whether a shape that names no reference system is on the earth, in WGS 84. Otherwise it
    ///   is on a plane, in the system 0 (CSDL 4.01, 7.2.6).
    static func text(_ node: JSONNode, isGeography: Bool) throws(Fault) -> String {
        var identifier = String(isGeography ? SpatialShape.worldSystem : SpatialShape.planeSystem)
        if let crs = node["crs"], let name = crs["properties"]?["name"]?.string,
            let last = name.split(separator: ":").last, last.utf8.allSatisfy({ "+-0123456789".utf8.contains($0) })
        {
            // The number of a reference system has up to five digits (OData ABNF, sridLiteral).
            guard last.utf8.count <= 5, last.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw invalid(crs)
            }
            identifier = String(last)
        }
        return "SRID=\(identifier);" + (try shape(node, depth: 0))
    }

    /// The type of the shape in an object. Throws `invalidLiteral` for a malformed one, or one nested too deep.
    static func type(of object: JSONValue, as type: EdmPrimitiveType) throws(Fault) -> EdmPrimitiveType {
        let literal = try JSONRoot.read(Array(object.text().utf8)) { (root) throws(Fault) in
            try text(root, isGeography: type.isGeography)
        }
        guard let found = withBytes(of: literal, { SpatialText.type(of: $0, isGeography: type.isGeography) }) else {
            throw Fault(.invalidLiteral, "not a valid GeoJSON geometry")
        }
        return found
    }

    private static func shape(_ node: JSONNode, depth: Int) throws(Fault) -> String {
        guard depth < maximumDepth, let type = node["type"]?.stringText else {
            throw invalid(node)
        }
        if type == "GeometryCollection", let parts = node["geometries"] {
            var texts: [String] = []
            for part in parts.elements {
                texts.append(try shape(part, depth: depth + 1))
            }
            return "Collection(" + texts.joined(separator: ",") + ")"
        }
        guard let known = shapes.first(where: { type == $0.name }), let coordinates = node["coordinates"] else {
            throw invalid(node)
        }
        let list = try positions(coordinates, depth: known.depth)
        let isPointList = type == "MultiPoint"
        if known.depth == 0 {
            return known.word + "(" + list + ")"
        }
        return known.word
            + (isPointList
                ? "(" + list.dropFirst().dropLast().split(separator: ",").map { "(\($0))" }.joined(separator: ",") + ")"
                : list)
    }

    private static func positions(_ node: JSONNode, depth: Int) throws(Fault) -> String {
        guard node.kind == .array else {
            throw invalid(node)
        }
        var texts: [String] = []
        if depth == 0 {
            for number in node.elements {
                guard let text = number.numberText else {
                    throw invalid(number)
                }
                texts.append(String(decoding: text, as: UTF8.self))
            }
            guard (2...4).contains(texts.count) else {
                throw invalid(node)
            }
            return texts.joined(separator: " ")
        }
        for part in node.elements {
            texts.append(try positions(part, depth: depth - 1))
        }
        return "(" + texts.joined(separator: ",") + ")"
    }

    private static func invalid(_ node: JSONNode) -> Fault {
        Fault(.invalidLiteral, "not a valid GeoJSON geometry", offset: node.offset)
    }
}
