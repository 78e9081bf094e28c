/// The primitive types of the Entity Data Model in all versions.
///
/// Source: CSDL 3.0 and 4.01, primitive types. DateTime and Time exist up to 3.0; Date, TimeOfDay and Duration since
/// 4.0.
public enum EdmPrimitiveType: String, Sendable, Hashable, CaseIterable {
    /// Bytes.
    case binary = "Edm.Binary"
    /// True or false.
    case boolean = "Edm.Boolean"
    /// An integer from 0 to 255.
    case byte = "Edm.Byte"
    /// A signed integer of 8 bits.
    case sbyte = "Edm.SByte"
    /// A signed integer of 16 bits.
    case int16 = "Edm.Int16"
    /// A signed integer of 32 bits.
    case int32 = "Edm.Int32"
    /// A signed integer of 64 bits.
    case int64 = "Edm.Int64"
    /// An exact decimal number.
    case decimal = "Edm.Decimal"
    /// A floating-point number of 64 bits.
    case double = "Edm.Double"
    /// A floating-point number of 32 bits.
    case single = "Edm.Single"
    /// Text.
    case string = "Edm.String"
    /// A number of 128 bits that identifies something.
    case guid = "Edm.Guid"
    /// A date without a time, since version 4.0.
    case date = "Edm.Date"
    /// A date and time without a time zone, up to version 3.0.
    case dateTime = "Edm.DateTime"
    /// A date and time with an offset from UTC.
    case dateTimeOffset = "Edm.DateTimeOffset"
    /// A time of day as a duration, up to version 3.0.
    case time = "Edm.Time"
    /// A time of day, since version 4.0.
    case timeOfDay = "Edm.TimeOfDay"
    /// A signed duration, since version 4.0.
    case duration = "Edm.Duration"
    /// Binary data with a URL of its own.
    case stream = "Edm.Stream"
    /// Any shape on the Earth.
    case geography = "Edm.Geography"
    /// A point on the Earth.
    case geographyPoint = "Edm.GeographyPoint"
    /// A line on the Earth.
    case geographyLineString = "Edm.GeographyLineString"
    /// A polygon on the Earth.
    case geographyPolygon = "Edm.GeographyPolygon"
    /// Several points on the Earth.
    case geographyMultiPoint = "Edm.GeographyMultiPoint"
    /// Several lines on the Earth.
    case geographyMultiLineString = "Edm.GeographyMultiLineString"
    /// Several polygons on the Earth.
    case geographyMultiPolygon = "Edm.GeographyMultiPolygon"
    /// Several shapes on the Earth.
    case geographyCollection = "Edm.GeographyCollection"
    /// Any shape on a plane.
    case geometry = "Edm.Geometry"
    /// A point on a plane.
    case geometryPoint = "Edm.GeometryPoint"
    /// A line on a plane.
    case geometryLineString = "Edm.GeometryLineString"
    /// A polygon on a plane.
    case geometryPolygon = "Edm.GeometryPolygon"
    /// Several points on a plane.
    case geometryMultiPoint = "Edm.GeometryMultiPoint"
    /// Several lines on a plane.
    case geometryMultiLineString = "Edm.GeometryMultiLineString"
    /// Several polygons on a plane.
    case geometryMultiPolygon = "Edm.GeometryMultiPolygon"
    /// Several shapes on a plane.
    case geometryCollection = "Edm.GeometryCollection"

    /// Whether values of the type are numbers.
    public var isNumeric: Bool {
        switch self {
        case .byte, .sbyte, .int16, .int32, .int64, .decimal, .double, .single: true
        default: false
        }
    }

    /// Whether values of the type are integers.
    public var isInteger: Bool {
        switch self {
        case .byte, .sbyte, .int16, .int32, .int64: true
        default: false
        }
    }

    /// Whether a number is a value of this integer type; false for other types.
    func includes(integer value: Int64) -> Bool {
        switch self {
        case .byte: UInt8(exactly: value) != nil
        case .sbyte: Int8(exactly: value) != nil
        case .int16: Int16(exactly: value) != nil
        case .int32: Int32(exactly: value) != nil
        case .int64: true
        default: false
        }
    }

    /// Whether values of the type are shapes.
    public var isSpatial: Bool {
        switch self {
        case .geometry, .geometryPoint, .geometryLineString, .geometryPolygon, .geometryMultiPoint,
            .geometryMultiLineString, .geometryMultiPolygon, .geometryCollection:
            true
        default: isGeography
        }
    }

    /// Whether values of the type are shapes on the Earth.
    var isGeography: Bool {
        switch self {
        case .geography, .geographyPoint, .geographyLineString, .geographyPolygon, .geographyMultiPoint,
            .geographyMultiLineString, .geographyMultiPolygon, .geographyCollection:
            true
        default: false
        }
    }

    /// Whether a shape of another spatial type is a value of this one: of the same type, or of any for an abstract
    /// type.
    func includes(shape type: EdmPrimitiveType) -> Bool {
        self == type || (self == .geography && type.isGeography) || (self == .geometry && !type.isGeography)
    }

    /// Whether a text is a spatial literal of this type.
    func includes(literal bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        SpatialText.type(of: bytes, isGeography: isGeography).map { includes(shape: $0) } ?? false
    }

    /// Whether the shape that a text names is of this type. The positions are not looked at.
    func includes(shapeNamedIn text: String) -> Bool {
        withBytes(of: text) { SpatialText.namedType(of: $0, isGeography: isGeography) }.map { includes(shape: $0) }
            ?? false
    }

    /// Whether the type exists in a version.
    func isKnown(in version: ODataVersion) -> Bool {
        switch self {
        case .dateTime, .time: !version.isV4
        case .date, .timeOfDay, .duration: version.isV4
        case .stream: version >= .v3
        default: !isSpatial || version >= .v3
        }
    }

    /// Finds a type by its qualified name, which is case-sensitive; nil for an unknown name.
    public init?(named name: String) {
        let length = name.utf8.count
        guard name.utf8.first == UInt8(ascii: "E"), length < Self.byLength.count,
            let found = Self.byLength[length].first(where: { $0.name.hasBytes(of: name) })
        else { return nil }
        self = found.type
    }

    /// The types by the lengths of their names, of which few are equal. Comparing those is faster than hashing.
    private static let byLength: [[(name: String, type: EdmPrimitiveType)]] = {
        let longest = allCases.map(\.rawValue.utf8.count).max() ?? 0
        var table: [[(name: String, type: EdmPrimitiveType)]] = Array(repeating: [], count: longest + 1)
        for type in allCases {
            table[type.rawValue.utf8.count].append((type.rawValue, type))
        }
        return table
    }()
}
