/// Writes a GeoJSON object of the data as the text of a literal, such as `SRID=4326;Point(142.1 64.1)`.
///
/// Source: OData JSON Format 4.01, 7.1.
enum GeoJSONLiteral {
    /// How many lists of positions are around each other in the coordinates of a shape.
    private static let nesting = [
        "Point": 0, "LineString": 1, "Polygon": 2, "MultiPoint": 1, "MultiLineString": 2, "MultiPolygon": 3,
    ]
    /// The number of collections that may contain each other.
    private static let maximumDepth = 8

    /// The text of a shape; nil for other data. Without `crs`, or with one whose name does not end in a number, it is
    /// in WGS 84, or on a plane, as in a payload.
    static func text(_ node: some EntityNode, isGeography: Bool) -> String? {
        var system = isGeography ? SpatialShape.worldSystem : SpatialShape.planeSystem
        if case .text(let name)? = node.member("crs")?.member("properties")?.member("name")?.content,
            let number = name.split(separator: ":").last.flatMap({ Int($0) })
        {
            system = number
        }
        guard let shape = shape(node, depth: 0) else { return nil }
        return "SRID=\(system);" + shape
    }

    private static func shape(_ node: some EntityNode, depth: Int) -> String? {
        guard depth < maximumDepth, case .text(let type)? = node.member("type")?.content else { return nil }
        if type.hasBytes(of: "GeometryCollection") {
            guard let parts = node.member("geometries")?.elements else { return nil }
            return list(parts) { shape($0, depth: depth + 1) }.map { "Collection" + $0 }
        }
        guard let nesting = nesting[type], let coordinates = node.member("coordinates") else { return nil }
        if nesting == 0 {
            return position(coordinates).map { type + "(" + $0 + ")" }
        }
        // In a literal each point of a multi-point has parentheses of its own.
        let isPointList = type.hasBytes(of: "MultiPoint")
        return positions(coordinates, nesting, arePoints: isPointList).map { type + $0 }
    }

    private static func positions(_ node: some EntityNode, _ nesting: Int, arePoints: Bool) -> String? {
        guard nesting > 0 else {
            return position(node).map { arePoints ? "(" + $0 + ")" : $0 }
        }
        guard let elements = node.elements else { return nil }
        return list(elements) { positions($0, nesting - 1, arePoints: arePoints) }
    }

    private static func position(_ node: some EntityNode) -> String? {
        guard let elements = node.elements, elements.count >= 2 else { return nil }
        var numbers: [String] = []
        for element in elements {
            guard case .number(let number) = element.content else { return nil }
            numbers.append(number)
        }
        return numbers.joined(separator: " ")
    }

    /// The texts of some parts in parentheses; nil if one of them has none.
    private static func list<Node>(_ parts: [Node], _ text: (Node) -> String?) -> String? {
        var texts: [String] = []
        for part in parts {
            guard let text = text(part) else { return nil }
            texts.append(text)
        }
        return "(" + texts.joined(separator: ",") + ")"
    }
}
