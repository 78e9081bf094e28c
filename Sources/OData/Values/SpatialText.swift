/// Checks the text of spatial literals: `SRID=0;Point(142.1 64.1)` and the six other shapes.
///
/// Source: OData ABNF, rules `fullPointLiteral` and following; keywords are case-insensitive. Collections may be nested
/// up to 16 levels.
enum SpatialText {
    private static let shapes: [(StaticString, geography: EdmPrimitiveType, geometry: EdmPrimitiveType, Form)] = [
        ("point", .geographyPoint, .geometryPoint, .position),
        ("linestring", .geographyLineString, .geometryLineString, .line),
        ("polygon", .geographyPolygon, .geometryPolygon, .rings),
        ("multipoint", .geographyMultiPoint, .geometryMultiPoint, .listOf(depth: 1)),
        ("multilinestring", .geographyMultiLineString, .geometryMultiLineString, .listOf(depth: 2)),
        ("multipolygon", .geographyMultiPolygon, .geometryMultiPolygon, .listOf(depth: 3)),
        ("geometrycollection", .geographyCollection, .geometryCollection, .collection),
        // The word of version 4.0, and the one of canonical text.
        ("collection", .geographyCollection, .geometryCollection, .collection),
    ]

    private enum Form {
        case position, line, rings, collection
        case listOf(depth: Int)
    }

    private static let maximumDepth = 16

    /// The type of the shape in a text; nil for malformed text.
    static func type(of bytes: UnsafeBufferPointer<UInt8>, isGeography: Bool) -> EdmPrimitiveType? {
        var reader = ByteReader(bytes)
        guard eat(&reader, "srid"), reader.eat(UInt8(ascii: "=")) else { return nil }
        let digits = reader.skipDigits()
        guard digits > 0, digits <= 5, reader.eat(UInt8(ascii: ";")), let type = shape(&reader, isGeography, depth: 0),
            reader.isAtEnd
        else {
            return nil
        }
        return type
    }

    /// Whether a text is a shape. Shapes on the Earth and on a plane are written alike.
    static func isShape(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { type(of: bytes, isGeography: true) != nil }

    /// The type that the word of a text names, such as `SRID=0;Point(`; nil if it does not begin like that.
    static func namedType(of bytes: UnsafeBufferPointer<UInt8>, isGeography: Bool) -> EdmPrimitiveType? {
        guard let semicolon = bytes.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        var reader = ByteReader(bytes)
        for (word, geography, geometry, _) in shapes {
            reader.position = semicolon + 1
            if eat(&reader, word), reader.next == UInt8(ascii: "(") {
                return isGeography ? geography : geometry
            }
        }
        return nil
    }

    private static func shape(_ reader: inout ByteReader, _ isGeography: Bool, depth: Int) -> EdmPrimitiveType? {
        guard depth < maximumDepth else { return nil }
        let start = reader.position
        for (word, geography, geometry, form) in shapes {
            reader.position = start
            guard eat(&reader, word), reader.next == UInt8(ascii: "(") else { continue }
            return body(form, &reader, isGeography, depth: depth) ? (isGeography ? geography : geometry) : nil
        }
        return nil
    }

    private static func body(_ form: Form, _ reader: inout ByteReader, _ isGeography: Bool, depth: Int) -> Bool {
        switch form {
        case .position: list(&reader, atLeast: 1, atMost: 1, position)
        case .line: list(&reader, atLeast: 2, position)
        case .rings: list(&reader, atLeast: 1) { ring(&$0) }
        case .listOf(1): list(&reader, atLeast: 0) { list(&$0, atLeast: 1, atMost: 1, position) }
        case .listOf(2): list(&reader, atLeast: 0) { list(&$0, atLeast: 2, position) }
        case .listOf: list(&reader, atLeast: 0) { list(&$0, atLeast: 1) { ring(&$0) } }
        case .collection: list(&reader, atLeast: 1) { shape(&$0, isGeography, depth: depth + 1) != nil }
        }
    }

    /// A ring must end with the same position that it starts with, written identically.
    private static func ring(_ reader: inout ByteReader) -> Bool {
        let start = reader.position
        guard list(&reader, atLeast: 1, position) else { return false }
        let parts = reader.bytes[start + 1..<reader.position - 1].split(separator: UInt8(ascii: ","))
        guard let first = parts.first, let last = parts.last else { return false }
        return first.elementsEqual(last)
    }

    private static func list(
        _ reader: inout ByteReader, atLeast: Int, atMost: Int = .max, _ item: (inout ByteReader) -> Bool
    ) -> Bool {
        guard reader.eat(UInt8(ascii: "(")) else { return false }
        var count = 0
        if reader.next != UInt8(ascii: ")") {
            repeat {
                guard item(&reader) else { return false }
                count += 1
            } while reader.eat(UInt8(ascii: ","))
        }
        return count >= atLeast && count <= atMost && reader.eat(UInt8(ascii: ")"))
    }

    /// Two to four numbers separated by single spaces.
    private static func position(_ reader: inout ByteReader) -> Bool {
        var count = 0
        repeat {
            let start = reader.position
            while let byte = reader.next, byte != 0x20, byte != UInt8(ascii: ","), byte != UInt8(ascii: ")") {
                reader.position += 1
            }
            guard ODataValue.double(UnsafeBufferPointer(rebasing: reader.bytes[start..<reader.position])) != nil else {
                return false
            }
            count += 1
        } while reader.eat(0x20)
        return (2...4).contains(count)
    }

    private static func eat(_ reader: inout ByteReader, _ word: StaticString) -> Bool {
        guard reader.position + word.utf8CodeUnitCount <= reader.bytes.count else { return false }
        for index in 0..<word.utf8CodeUnitCount
        where reader.bytes[reader.position + index] | 0x20 != word.utf8Start[index] {
            return false
        }
        reader.position += word.utf8CodeUnitCount
        return true
    }
}
