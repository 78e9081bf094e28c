/// The form in which a literal is written. It determines the type of the value.
enum LiteralType: UInt8, Sendable {
    case boolean, int32, int64, decimal, double, single, string
    /// A string in double quotes with JSON escapes, inside an array or object.
    case jsonString
    case guid, binary, date, dateTime, dateTimeOffset, time, timeOfDay, duration, enumeration, spatial

    var primitiveType: EdmPrimitiveType? {
        switch self {
        case .boolean: .boolean
        case .int32: .int32
        case .int64: .int64
        case .decimal: .decimal
        case .double: .double
        case .single: .single
        case .string, .jsonString: .string
        case .guid: .guid
        case .binary: .binary
        case .date: .date
        case .dateTime: .dateTime
        case .dateTimeOffset: .dateTimeOffset
        case .time: .time
        case .timeOfDay: .timeOfDay
        case .duration: .duration
        case .enumeration, .spatial: nil
        }
    }
}
