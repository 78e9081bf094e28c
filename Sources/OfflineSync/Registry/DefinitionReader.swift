import JSONText
import SOQL
import Soups

/// Reads members of the definition of a sync or of a target. Faults are `invalidSync` and name the key, never the
/// value.
struct DefinitionReader {
    let json: JSONObject

    init(_ json: JSONObject) { self.json = json }

    /// A text; nil if it is missing, null or empty.
    func text(_ key: String) throws(Fault) -> String? {
        switch json[key] {
        case nil, .null?: return nil
        case .string(let text)?: return text.isEmpty ? nil : text
        default: throw Self.wrong(key, "must be a text")
        }
    }

    /// Checks the names of classes that a definition may have.
    func checkClassNames() throws(Fault) {
        for key in Self.classNames {
            _ = try text(key)
        }
    }

    /// The members with the names of classes, the first of which is ours.
    static let classNames = ["swiftImpl", "iOSImpl", "androidImpl"]

    func required(_ key: String) throws(Fault) -> String {
        guard let text = try text(key) else { throw Self.wrong(key, "is missing") }
        return text
    }

    /// A name of a field, a type or a relationship; nil if it is missing.
    func name(_ key: String) throws(Fault) -> String? {
        guard let text = try text(key) else { return nil }
        return try Self.checked(text, key)
    }

    func requiredName(_ key: String) throws(Fault) -> String { try Self.checked(try required(key), key) }

    /// Names; nil if the list is missing.
    func names(_ key: String) throws(Fault) -> [String]? {
        guard let texts = try texts(key) else { return nil }
        for text in texts {
            _ = try Self.checked(text, key)
        }
        return texts
    }

    func requiredNames(_ key: String) throws(Fault) -> [String] {
        guard let names = try names(key) else { throw Self.wrong(key, "is missing") }
        return names
    }

    func texts(_ key: String) throws(Fault) -> [String]? {
        guard let value = json[key], !value.isNull else { return nil }
        guard let elements = value.array else { throw Self.wrong(key, "must be a list of texts") }
        var texts: [String] = []
        for element in elements {
            guard let text = element.string else { throw Self.wrong(key, "must be a list of texts") }
            texts.append(text)
        }
        return texts
    }

    func object(_ key: String) throws(Fault) -> JSONObject? {
        guard let value = json[key], !value.isNull else { return nil }
        guard let object = value.object else { throw Self.wrong(key, "must be an object") }
        return object
    }

    func requiredObject(_ key: String) throws(Fault) -> JSONObject {
        guard let object = try object(key) else { throw Self.wrong(key, "is missing") }
        return object
    }

    /// A choice of yes or no; no if it is missing.
    func flag(_ key: String) throws(Fault) -> Bool {
        guard let value = json[key], !value.isNull else { return false }
        guard let flag = value.bool else { throw Self.wrong(key, "must be true or false") }
        return flag
    }

    /// A number without a fraction, however it is written; nil if it is missing.
    func integer(_ key: String) throws(Fault) -> Int64? {
        guard let value = json[key], !value.isNull else { return nil }
        if let number = value.int64 {
            return number
        }
        guard let number = value.double, let integer = Int64(exactly: number.rounded(.towardZero)) else {
            throw Self.wrong(key, "must be a number")
        }
        return integer
    }

    /// A number within a range: a larger or smaller one is clamped, zero and below are the default.
    func count(_ key: String, _ range: ClosedRange<Int64>, default fallback: Int64) throws(Fault) -> Int {
        if let number = json[key]?.double, number.magnitude >= Self.beyondIntegers {
            return Int(number > 0 ? range.upperBound : fallback)
        }
        guard let number = try integer(key), number > 0 else { return Int(fallback) }
        return Int(min(max(number, range.lowerBound), range.upperBound))
    }

    /// The first number that no `Int64` holds.
    private static let beyondIntegers = 0x1p63

    /// The case that a text member names; nil if the member is missing.
    func choice<Choice: RawRepresentable>(_ key: String, _: Choice.Type) throws(Fault) -> Choice?
    where Choice.RawValue == String {
        guard let text = try text(key) else { return nil }
        guard let choice = Choice(rawValue: text) else { throw Self.wrong(key, "is not one of the known words") }
        return choice
    }

    func requiredChoice<Choice: RawRepresentable>(_ key: String, _ type: Choice.Type) throws(Fault) -> Choice
    where Choice.RawValue == String {
        guard let choice = try choice(key, type) else { throw Self.wrong(key, "is missing") }
        return choice
    }

    static func checked(_ name: String, _ key: String) throws(Fault) -> String {
        guard SOQLName.isValid(name) else {
            throw wrong(key, "must have letters, digits, _ and dots only, and begin with a letter or _")
        }
        return name
    }

    static func wrong(_ key: String, _ what: String) -> Fault {
        Fault(.invalidSync, "the definition of a sync: \(key) \(what)", context: [.path(key)])
    }
}
