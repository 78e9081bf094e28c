import FoundationTypes

/// A type of Foundation that is made from a value.
enum FoundationValue {
    case date, data, decimal, uuid

    init?(_ type: Any.Type) {
        if type == Date.self {
            self = .date
        } else if type == Data.self {
            self = .data
        } else if type == Decimal.self {
            self = .decimal
        } else if type == UUID.self {
            self = .uuid
        } else {
            return nil
        }
    }

    func value(_ value: ODataValue) -> Any? {
        switch self {
        case .date:
            EdmDateTimeOffset(value).map {
                Date(timeIntervalSince1970: Double($0.secondsSinceEpoch) + Double($0.local.time.picosecond) / 1e12)
            }
        case .data: [UInt8](value).map { Data($0) }
        case .decimal: EdmDecimal(value).flatMap { Decimal(string: $0.description) }
        case .uuid: EdmGuid(value).flatMap { UUID(uuidString: $0.description) }
        }
    }
}
