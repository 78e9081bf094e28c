import JSONText
import Soups

/// Writes GeoJSON shapes as GML 3.1.1, the form of spatial values in Atom.
///
/// For EPSG 4326, GML has latitude first, while GeoJSON and literals have longitude first. Source: OData Atom 4.0, 7.2;
/// MS-ODATA, spatial values in Atom.
struct GMLText {
    let path: ValuePath
    /// Whether latitude is first.
    let isGeographic: Bool

    /// The element of a shape, with its namespace and reference system. Throws `invalidLiteral` for a malformed shape,
    /// and `unsupported` for positions with more than two numbers, which this library does not read in GML.
    static func element(_ shape: JSONValue, path: ValuePath) throws(Fault) -> String {
        let name = shape["crs"]?["properties"]?["name"]?.string ?? "EPSG:4326"
        let identifier = String(name.split(separator: ":").last ?? "4326")
        guard (1...5).contains(identifier.utf8.count), identifier.utf8.allSatisfy({ $0 &- 0x30 <= 9 }) else {
            throw invalid(path)
        }
        let start =
            " xmlns:gml=\"\(AtomRole.gmlURI)\" gml:srsName=\"http://www.opengis.net/def/crs/EPSG/0/\(identifier)\""
        let writer = GMLText(path: path, isGeographic: identifier == "4326")
        return try writer.element(shape, start: start)
    }

    /// Collections inside collections are as deep as the readers of literals and GeoJSON allow.
    private func element(_ shape: JSONValue, start: String) throws(Fault) -> String {
        guard let type = shape["type"]?.string else {
            throw Self.invalid(path)
        }
        if type == "GeometryCollection" {
            var parts = ""
            for part in shape["geometries"]?.array ?? [] {
                parts += try element(part, start: "")
            }
            return "<gml:MultiGeometry\(start)><gml:geometryMembers>\(parts)</gml:geometryMembers></gml:MultiGeometry>"
        }
        guard let coordinates = shape["coordinates"]?.array else {
            throw Self.invalid(path)
        }
        switch type {
        case "Point": return "<gml:Point\(start)><gml:pos>\(try position(coordinates))</gml:pos></gml:Point>"
        case "LineString": return try line(coordinates, start)
        case "Polygon": return try polygon(coordinates, start)
        case "MultiPoint":
            return try list("MultiPoint", "pointMembers", coordinates, start) { (point) throws(Fault) in
                "<gml:Point><gml:pos>\(try position(point))</gml:pos></gml:Point>"
            }
        case "MultiLineString":
            return try list("MultiCurve", "curveMembers", coordinates, start) { (part) throws(Fault) in
                try line(part, "")
            }
        case "MultiPolygon":
            return try list("MultiSurface", "surfaceMembers", coordinates, start) { (part) throws(Fault) in
                try polygon(part, "")
            }
        default: throw Self.invalid(path)
        }
    }

    private func list(
        _ name: String, _ members: String, _ parts: [JSONValue], _ start: String,
        _ write: ([JSONValue]) throws(Fault) -> String
    ) throws(Fault) -> String {
        var text = ""
        for part in parts {
            text += try write(try array(part))
        }
        return "<gml:\(name)\(start)><gml:\(members)>\(text)</gml:\(members)></gml:\(name)>"
    }

    private func line(_ points: [JSONValue], _ start: String) throws(Fault) -> String {
        "<gml:LineString\(start)>\(try positions(points))</gml:LineString>"
    }

    private func polygon(_ rings: [JSONValue], _ start: String) throws(Fault) -> String {
        var text = ""
        for (index, ring) in rings.enumerated() {
            let side = index == 0 ? "exterior" : "interior"
            let positions = try positions(try array(ring))
            text += "<gml:\(side)><gml:LinearRing>\(positions)</gml:LinearRing></gml:\(side)>"
        }
        return "<gml:Polygon\(start)>\(text)</gml:Polygon>"
    }

    private func positions(_ points: [JSONValue]) throws(Fault) -> String {
        var texts: [String] = []
        for point in points {
            texts.append(try position(try array(point)))
        }
        return "<gml:posList>\(texts.joined(separator: " "))</gml:posList>"
    }

    private func position(_ numbers: [JSONValue]) throws(Fault) -> String {
        let texts = numbers.compactMap { $0.number?.text }
        guard texts.count == numbers.count, texts.count >= 2 else {
            throw Self.invalid(path)
        }
        guard texts.count == 2 else {
            throw Fault(
                .unsupported, "a position with a height is not written in Atom; send the change as JSON",
                context: [.path(path.text)])
        }
        return isGeographic ? texts[1] + " " + texts[0] : texts[0] + " " + texts[1]
    }

    private func array(_ value: JSONValue) throws(Fault) -> [JSONValue] {
        guard let array = value.array else {
            throw Self.invalid(path)
        }
        return array
    }

    private static func invalid(_ path: ValuePath) -> Fault {
        Fault(.invalidLiteral, "not a valid spatial value", context: [.path(path.text)])
    }
}
