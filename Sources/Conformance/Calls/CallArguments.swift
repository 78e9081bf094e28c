import JSONText
import Soups

/// Reads the arguments of a call. A value of the wrong form is `invalidArguments`; null means the same as a missing
/// argument.
struct CallArguments {
    let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    /// The value of an argument; nil if it is missing or null.
    func value(_ name: String) -> JSONValue? {
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    func text(_ name: String) throws(Fault) -> String {
        guard let text = try optionalText(name) else {
            throw Self.wrong(name, "must be a string")
        }
        return text
    }

    func optionalText(_ name: String) throws(Fault) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string else {
            throw Self.wrong(name, "must be a string")
        }
        return text
    }

    func integer(_ name: String) throws(Fault) -> Int64 {
        guard let integer = try optionalInteger(name) else {
            throw Self.wrong(name, "must be an integer")
        }
        return integer
    }

    func optionalInteger(_ name: String) throws(Fault) -> Int64? {
        guard let value = value(name) else { return nil }
        guard let integer = value.int64 else {
            throw Self.wrong(name, "must be an integer")
        }
        return integer
    }

    func flag(_ name: String, default: Bool) throws(Fault) -> Bool {
        guard let value = value(name) else {
            return `default`
        }
        guard let flag = value.bool else {
            throw Self.wrong(name, "must be true or false")
        }
        return flag
    }

    func array(_ name: String) throws(Fault) -> [JSONValue] {
        guard let array = value(name)?.array else {
            throw Self.wrong(name, "must be an array")
        }
        return array
    }

    func optionalArray(_ name: String) throws(Fault) -> [JSONValue]? {
        value(name) == nil ? nil : try array(name)
    }

    func objects(_ name: String) throws(Fault) -> [JSONObject] {
        let array = try array(name)
        let objects = array.compactMap(\.object)
        guard objects.count == array.count else {
            throw Self.wrong(name, "must be an array of objects")
        }
        return objects
    }

    func optionalObjects(_ name: String) throws(Fault) -> [JSONObject]? {
        value(name) == nil ? nil : try objects(name)
    }

    func object(_ name: String) throws(Fault) -> JSONObject {
        guard let object = value(name)?.object else {
            throw Self.wrong(name, "must be an object")
        }
        return object
    }

    func optionalObject(_ name: String) throws(Fault) -> JSONObject? {
        value(name) == nil ? nil : try object(name)
    }

    func integers(_ name: String) throws(Fault) -> [Int64] {
        var integers: [Int64] = []
        for element in try array(name) {
            guard let integer = element.int64 else {
                throw Self.wrong(name, "must be an array of integers")
            }
            integers.append(integer)
        }
        return integers
    }

    func texts(_ name: String) throws(Fault) -> [String] {
        var texts: [String] = []
        for element in try array(name) {
            guard let text = element.string else {
                throw Self.wrong(name, "must be an array of strings")
            }
            texts.append(text)
        }
        return texts
    }

    /// An integer that fits into `Int`; nil if it is missing.
    func optionalInt(_ name: String) throws(Fault) -> Int? {
        guard let integer = try optionalInteger(name) else { return nil }
        guard let int = Int(exactly: integer) else {
            throw Self.wrong(name, "is too large")
        }
        return int
    }

    /// A list of texts: an array, or one text as the only element; empty if it is missing.
    func textList(_ name: String) throws(Fault) -> [String] {
        switch value(name) {
        case nil: []
        case .string(let text)?: [text]
        default: try texts(name)
        }
    }

    static func wrong(_ name: String, _ what: String) -> Fault {
        Fault(.invalidArguments, "the argument \(name) \(what)")
    }
}

// MARK: - Arguments of several calls
extension CallArguments {
    /// The name of the soup; a missing or null one is `invalidSoupName`.
    func soupName() throws(Fault) -> String {
        guard let value = value("soupName") else {
            throw Fault(.invalidSoupName, "the soup name is missing")
        }
        guard let name = value.string else {
            throw Fault(.invalidSoupName, "a soup name must be a string")
        }
        return name
    }

    /// The name of the soup to register: that of `soupSpec`, or `soupName`.
    func newSoupName() throws(Fault) -> String {
        guard let spec = try optionalObject("soupSpec") else {
            return try soupName()
        }
        guard let name = spec["name"]?.string else {
            throw Fault(.invalidSoupName, "the soup name is missing")
        }
        return name
    }

    /// The features of `soupSpec`; empty if they are missing.
    func features() throws(Fault) -> [SoupFeature] {
        guard let value = try optionalObject("soupSpec")?["features"], !value.isNull else {
            return []
        }
        guard let elements = value.array else {
            throw Self.wrong("features", "must be an array of strings")
        }
        var features: [SoupFeature] = []
        for element in elements {
            guard let feature = element.string.flatMap(SoupFeature.init(rawValue:)) else {
                throw Fault(.unsupportedFeature, "unknown feature; the only one is externalStorage")
            }
            features.append(feature)
        }
        return features
    }

    /// The index specs; empty if they are missing, and the store decides whether that is an error.
    func indexSpecs(_ name: String = "indexSpecs") throws(Fault) -> [IndexSpec] {
        guard let value = value(name) else {
            return []
        }
        return try Self.indexSpecs(value)
    }

    static func indexSpecs(_ value: JSONValue) throws(Fault) -> [IndexSpec] {
        guard let elements = value.array else {
            throw Fault(.invalidIndexSpec, "index specs must be an array")
        }
        var specs: [IndexSpec] = []
        for element in elements {
            guard let path = element["path"]?.string else {
                throw Fault(.invalidIndexSpec, "an index spec needs a path")
            }
            guard let type = element["type"]?.string.flatMap(IndexType.init(rawValue:)) else {
                throw Fault(
                    .invalidIndexSpec,
                    "the type of an index spec must be string, integer, floating, full_text or json1",
                    context: [.path(path)])
            }
            specs.append(IndexSpec(path: path, type: type))
        }
        return specs
    }

    /// The query spec under `querySpec`; `invalidQuerySpec` if it is missing.
    func querySpec() throws(Fault) -> QuerySpec {
        guard let value = value("querySpec") else {
            throw Fault(.invalidQuerySpec, "the query spec is missing")
        }
        // A spec that was written and read again asks the same.
        return try QuerySpec(json: QuerySpec(json: value).json)
    }

    /// The values bound to `?`. A number that is written with a fraction or an exponent is a REAL, as in SQLite.
    func boundArguments() throws(Fault) -> [SQLValue] {
        let arguments = try optionalArray("arguments") ?? []
        let values = try Self.boundValues(arguments, of: "arguments")
        return zip(arguments, values).map { argument, value in
            guard case .number(let number) = argument, number.text.utf8.contains(where: Self.isBehindWhole) else {
                return value
            }
            return .real(number.double)
        }
    }

    /// Whether a byte of a number begins its fraction or its exponent.
    private static func isBehindWhole(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e")
    }

    /// Keys as those of query specs: the elements of the argument with this name. Nil for null.
    func keys(_ name: String) throws(Fault) -> [QuerySpec.Key?] {
        var keys: [QuerySpec.Key?] = []
        for element in try array(name) {
            let key = QuerySpec.Key(json: element)
            guard key != nil || element.isNull else {
                throw Self.wrong(name, "holds an array or object; only strings, numbers, booleans and null can be keys")
            }
            keys.append(key)
        }
        return keys
    }

    /// Values for SQLite: the elements of the argument with this name.
    static func boundValues(_ elements: [JSONValue], of name: String) throws(Fault) -> [SQLValue] {
        var values: [SQLValue] = []
        for element in elements {
            values.append(try boundValue(element, of: name))
        }
        return values
    }

    private static func boundValue(_ value: JSONValue, of name: String) throws(Fault) -> SQLValue {
        switch value {
        case .null: .null
        case .bool(let value): .boolean(value)
        case .number(let number): number.int64.map(SQLValue.integer) ?? .real(number.double)
        case .string(let text): .text(text)
        case .array, .object:
            throw wrong(name, "holds an array or object; only strings, numbers, booleans and null can be bound")
        }
    }
}
