import Soups

/// Turns the GML elements of a spatial value into the text of OData literals: `SRID=4326;Point(142.1 64.1)`.
///
/// The simple features of GML 3.1.1 that OData uses: points, lines, polygons, collections of them. For EPSG 4326, GML
/// positions have latitude first, while literals have longitude first (OData Atom 4.0, 7.2).
struct GMLShape {
    private var identifier = "4326"
    private var isGeographic = true
    private(set) var text = ""
    private var open: [String] = []
    private var started = false

    var isClosed: Bool { started && open.isEmpty }

    mutating func readReferenceSystem(_ name: String) {
        guard let digits = name.split(separator: "/").last?.split(separator: ":").last, Int(digits) != nil else {
            return
        }
        identifier = String(digits)
        isGeographic = identifier == "4326"
    }

    private static let shapes: [String: String] = [
        "Point": "Point", "LineString": "LineString", "Polygon": "Polygon", "MultiPoint": "MultiPoint",
        "MultiCurve": "MultiLineString",
        "MultiLineString": "MultiLineString", "MultiSurface": "MultiPolygon", "MultiPolygon": "MultiPolygon",
        "MultiGeometry": "Collection",
    ]

    /// Whether the outer shape is a list of shapes, in which the shapes have no name in the literal.
    private var isInsideMulti: Bool {
        open.contains { ["MultiPoint", "MultiCurve", "MultiLineString", "MultiSurface", "MultiPolygon"].contains($0) }
    }

    mutating func start(_ name: String) {
        if !started {
            text = "SRID=\(identifier);"
        }
        started = true
        if let shape = Self.shapes[name] {
            separate()
            text += (isInsideMulti ? "" : shape) + "("
        } else if name == "exterior" || name == "interior" {
            separate()
            text += "("
        }
        open.append(name)
    }

    mutating func end(text content: ArraySlice<UInt8>, at offset: Int) throws(Fault) {
        guard let name = open.popLast() else { return }
        if Self.shapes[name] != nil || name == "exterior" || name == "interior" {
            text += ")"
            return
        }
        guard name == "pos" || name == "posList" else { return }
        let numbers = content.split { $0 <= 0x20 }.map { String(decoding: $0, as: UTF8.self) }
        let isComplete = name == "pos" ? numbers.count == 2 : numbers.count >= 2 && numbers.count % 2 == 0
        guard isComplete, numbers.allSatisfy(Self.isNumber) else {
            throw Fault(.invalidLiteral, "a GML position must be pairs of numbers", offset: offset)
        }
        for index in stride(from: 0, to: numbers.count, by: 2) {
            separate()
            text += isGeographic ? numbers[index + 1] + " " + numbers[index] : numbers[index] + " " + numbers[index + 1]
        }
    }

    private static let signs = Array("+-.eE".utf8)

    private static func isNumber(_ text: String) -> Bool {
        let isDecimal = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || signs.contains(byte)
        }
        return isDecimal && Double(text)?.isFinite == true
    }

    private mutating func separate() {
        if text.utf8.last != UInt8(ascii: "("), text.utf8.last != UInt8(ascii: ";") {
            text += ","
        }
    }
}
