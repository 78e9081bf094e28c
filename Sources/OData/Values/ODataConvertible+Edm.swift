// A payload in JSON without metadata has these values as text; the text of such a value is read.

extension EdmDecimal: ODataConvertible {
    /// Creates an instance from an `Edm.Decimal`, another number, or its text.
    public init?(_ value: ODataValue) {
        switch value {
        case .string(let text):
            guard let number = EdmDecimal(text) else { return nil }
            self = number
        default:
            guard let number = value.exactDecimal else { return nil }
            self = number
        }
    }

    public var odataValue: ODataValue { .decimal(self) }
}

extension EdmGuid: ODataConvertible {
    /// Creates an instance from an `Edm.Guid` or its text.
    public init?(_ value: ODataValue) {
        switch value {
        case .guid(let found): self = found
        case .string(let text):
            guard let read = EdmGuid(text) else { return nil }
            self = read
        default: return nil
        }
    }

    public var odataValue: ODataValue { .guid(self) }
}

extension EdmDate: ODataConvertible {
    /// Creates an instance from an `Edm.Date` or its text.
    public init?(_ value: ODataValue) {
        switch value {
        case .date(let found): self = found
        case .string(let text):
            guard let read = EdmDate(text) else { return nil }
            self = read
        default: return nil
        }
    }

    public var odataValue: ODataValue { .date(self) }
}

extension EdmDateTime: ODataConvertible {
    /// Creates an instance from an `Edm.DateTime` or its text.
    public init?(_ value: ODataValue) {
        switch value {
        case .dateTime(let found): self = found
        case .string(let text):
            guard let read = EdmDateTime(text) else { return nil }
            self = read
        default: return nil
        }
    }

    public var odataValue: ODataValue { .dateTime(self) }
}

extension EdmDateTimeOffset: ODataConvertible {
    /// Creates an instance from an `Edm.DateTimeOffset` or its text.
    public init?(_ value: ODataValue) {
        switch value {
        case .dateTimeOffset(let found): self = found
        case .string(let text):
            guard let read = EdmDateTimeOffset(text) else { return nil }
            self = read
        default: return nil
        }
    }

    public var odataValue: ODataValue { .dateTimeOffset(self) }
}

extension EdmTimeOfDay: ODataConvertible {
    /// Creates an instance from an `Edm.TimeOfDay` or its text.
    public init?(_ value: ODataValue) {
        switch value {
        case .timeOfDay(let found): self = found
        case .string(let text):
            guard let read = EdmTimeOfDay(text) else { return nil }
            self = read
        default: return nil
        }
    }

    public var odataValue: ODataValue { .timeOfDay(self) }
}

extension EdmDuration: ODataConvertible {
    /// Creates a duration from an `Edm.Duration`, an `Edm.Time` or its text.
    public init?(_ value: ODataValue) {
        switch value {
        case .duration(let found), .time(let found): self = found
        case .string(let text):
            guard let read = EdmDuration(text) else { return nil }
            self = read
        default: return nil
        }
    }

    public var odataValue: ODataValue { .duration(self) }
}
