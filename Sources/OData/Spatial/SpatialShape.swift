/// A point, line or polygon with its coordinate reference system, read from the text of a literal or from GeoJSON.
///
/// Source: OData ABNF, rules `fullPointLiteral` and following; OData JSON Format 4.01, 7.1.
struct SpatialShape {
    struct Position: Equatable {
        /// The longitude in degrees for geography.
        var x: Double
        /// The latitude in degrees for geography.
        var y: Double
    }

    enum Form { case point, line, polygon }

    let form: Form
    /// Whether the shape is on the Earth instead of a plane.
    let isGeography: Bool
    /// The number of the coordinate reference system.
    let system: Int
    /// The rings of a polygon; a single list for points and lines.
    let parts: [[Position]]

    /// Parses the text of a spatial value, such as `SRID=0;Point(1 2)`; nil for other shapes and malformed text.
    init?(_ text: String, isGeography: Bool) {
        let read = withBytes(of: text) { bytes -> (Form, Int, [[Position]])? in
            let form: Form
            switch SpatialText.type(of: bytes, isGeography: isGeography) {
            case .geographyPoint, .geometryPoint: form = .point
            case .geographyLineString, .geometryLineString: form = .line
            case .geographyPolygon, .geometryPolygon: form = .polygon
            default: return nil
            }
            var reader = ByteReader(bytes)
            reader.position = "SRID=".utf8.count
            return reader.number().map { (form, $0, Self.parts(of: &reader)) }
        }
        guard let (form, system, parts) = read, Self.isFinite(text), !parts.isEmpty else { return nil }
        self.form = form
        self.isGeography = isGeography
        self.system = system
        self.parts = parts
    }

    /// Whether no coordinate is infinite or not a number: then letters other than those of exponents are in the
    /// parentheses.
    private static func isFinite(_ text: String) -> Bool {
        !text.utf8.drop { $0 != UInt8(ascii: "(") }.contains { $0 | 0x20 == UInt8(ascii: "n") }
    }

    /// Collects the positions of a text that is known to be valid. A part ends at a parenthesis that closes after a
    /// position.
    private static func parts(of reader: inout ByteReader) -> [[Position]] {
        var parts: [[Position]] = []
        var part: [Position] = []
        var numbers: [Double] = []
        var start: Int?
        while let byte = reader.next {
            let isPart =
                byte &- 0x30 < 10 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
                || byte | 0x20 == UInt8(ascii: "e")
            // The letters of the shape's name come before the first parenthesis.
            if isPart, start != nil || byte != UInt8(ascii: "e") && byte != UInt8(ascii: "E") {
                start = start ?? reader.position
            } else if let first = start {
                numbers.append(
                    Double(String(bytes: UnsafeBufferPointer(rebasing: reader.bytes[first..<reader.position]))) ?? .nan)
                start = nil
            }
            if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ")"), numbers.count >= 2 {
                part.append(Position(x: numbers[0], y: numbers[1]))
                numbers = []
            }
            if byte == UInt8(ascii: ")"), !part.isEmpty {
                parts.append(part)
                part = []
            }
            reader.position += 1
        }
        return parts
    }

    /// Reads a GeoJSON object; nil for other objects and shapes. Without `crs` the coordinates are in WGS 84, or on a
    /// plane.
    init?(_ node: some EntityNode, isGeography: Bool) {
        guard case .text(let type)? = node.member("type")?.content, let coordinates = node.member("coordinates") else {
            return nil
        }
        switch type {
        case "Point": (form, parts) = (.point, [Self.position(coordinates).map { [$0] } ?? []])
        case "LineString": (form, parts) = (.line, [Self.positions(coordinates)])
        case "Polygon": (form, parts) = (.polygon, (coordinates.elements ?? []).map { Self.positions($0) })
        default: return nil
        }
        guard !parts.isEmpty, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.isGeography = isGeography
        if case .text(let name)? = node.member("crs")?.member("properties")?.member("name")?.content {
            guard let number = name.split(separator: ":").last.flatMap({ Int($0) }) else {
                return nil
            }
            system = number
        } else {
            system = isGeography ? Self.worldSystem : Self.planeSystem
        }
    }

    /// The positions of a list; empty if one of them is not a position.
    private static func positions(_ node: some EntityNode) -> [Position] {
        let elements = node.elements ?? []
        let positions = elements.compactMap { position($0) }
        return positions.count == elements.count ? positions : []
    }

    private static func position(_ node: some EntityNode) -> Position? {
        guard let elements = node.elements, elements.count >= 2, case .number(let x) = elements[0].content,
            case .number(let y) = elements[1].content,
            let x = Double(x), let y = Double(y)
        else {
            return nil
        }
        return Position(x: x, y: y)
    }

    /// WGS 84, the system of satellite navigation, in degrees.
    static let worldSystem = 4326
    /// The default system of shapes on a plane.
    static let planeSystem = 0
}
