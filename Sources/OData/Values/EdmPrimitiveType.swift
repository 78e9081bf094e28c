/// The primitive types of the Entity Data Model in all versions.
///
/// Source: CSDL 3.0 and 4.01, primitive types. DateTime and Time exist up to 3.0; Date, TimeOfDay and Duration since
/// 4.0.
public enum EdmPrimitiveType: String, Sendable, Hashable, CaseIterable {
    case binary = "Edm.Binary"
    case boolean = "Edm.Boolean"
    case byte = "Edm.Byte"
    case sbyte = "Edm.SByte"
    case int16 = "Edm.Int16"
    case int32 = "Edm.Int32"
    case int64 = "Edm.Int64"
    case decimal = "Edm.Decimal"
    case double = "Edm.Double"
    case single = "Edm.Single"
    case string = "Edm.String"
    case guid = "Edm.Guid"
    case date = "Edm.Date"
    case dateTime = "Edm.DateTime"
    case dateTimeOffset = "Edm.DateTimeOffset"
    case time = "Edm.Time"
    case timeOfDay = "Edm.TimeOfDay"
    case duration = "Edm.Duration"
    case stream = "Edm.Stream"
    case geography = "Edm.Geography"
    case geographyPoint = "Edm.GeographyPoint"
    case geographyLineString = "Edm.GeographyLineString"
    case geographyPolygon = "Edm.GeographyPolygon"
    case geographyMultiPoint = "Edm.GeographyMultiPoint"
    case geographyMultiLineString = "Edm.GeographyMultiLineString"
    case geographyMultiPolygon = "Edm.GeographyMultiPolygon"
    case geographyCollection = "Edm.GeographyCollection"
    case geometry = "Edm.Geometry"
    case geometryPoint = "Edm.GeometryPoint"
    case geometryLineString = "Edm.GeometryLineString"
    case geometryPolygon = "Edm.GeometryPolygon"
    case geometryMultiPoint = "Edm.GeometryMultiPoint"
    case geometryMultiLineString = "Edm.GeometryMultiLineString"
    case geometryMultiPolygon = "Edm.GeometryMultiPolygon"
    case geometryCollection = "Edm.GeometryCollection"

    /// Whether values of the type are numbers.
    public var isNumeric: Bool {
        switch self {
        case .byte, .sbyte, .int16, .int32, .int64, .decimal, .double, .single: true
        default: false
        }
    }

    public var isInteger: Bool {
        switch self {
        case .byte, .sbyte, .int16, .int32, .int64: true
        default: false
        }
    }

    public var isSpatial: Bool { rawValue.utf8.starts(with: "Edm.Geo".utf8) }

    /// The type with a qualified name, case-sensitive; nil if there is none.
    public init?(named name: String) {
        guard name.utf8.starts(with: "Edm.".utf8) else { return nil }
        self.init(rawValue: name)
    }
}
