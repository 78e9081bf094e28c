import FoundationTypes
import JSONText

// The types of Foundation that JSON has no values for, as JSONDecoder reads them.
extension NodeDecoder {
    func date() throws -> Date {
        switch state.options.dates {
        case .secondsSinceReferenceDate: return Date(timeIntervalSinceReferenceDate: try double())
        case .seconds: return Date(timeIntervalSince1970: try double())
        case .milliseconds: return Date(timeIntervalSince1970: try double() / 1000)
        case .iso8601:
            guard let date = try? Date(try string(), strategy: .iso8601) else {
                _ = try string()
                throw corrupted("the text is not a date by ISO 8601")
            }
            return date
        case .custom(_, let decode): return try decode(self)
        }
    }

    func data() throws -> Data {
        switch state.options.data {
        case .base64:
            guard let data = Data(base64Encoded: try string()) else {
                throw corrupted("the text is not base64")
            }
            return data
        case .bytes: return try Data(from: self)
        case .custom(_, let decode): return try decode(self)
        }
    }

    func url() throws -> URL {
        guard let url = URL(string: try string()) else {
            throw corrupted("the text is not a URL")
        }
        return url
    }

    /// Never through a double: the number is read from its digits.
    func decimal() throws -> Decimal {
        guard let text = node.numberText else { throw mismatch(Decimal.self, "a number") }
        guard let value = Decimal(string: String(decoding: text, as: UTF8.self)) else {
            throw corrupted("the number does not fit into Decimal")
        }
        return value
    }

    func uuid() throws -> UUID {
        guard let uuid = UUID(uuidString: try string()) else {
            throw corrupted("the text is not a UUID")
        }
        return uuid
    }
}
