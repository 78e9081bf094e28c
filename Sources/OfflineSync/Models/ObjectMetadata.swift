public import JSONText
public import Soups

/// The description of an object type, as the service gives it.
public struct ObjectMetadata: Sendable {
    /// The name of the type.
    public let name: String?
    /// What people call it.
    public let label: String?
    /// The first characters of its records' ids.
    public let keyPrefix: String?
    /// Its fields, each an object.
    public let fields: [JSONValue]?
    /// The whole description.
    public let rawData: JSONObject

    /// Reads a description. Members that are missing are nil.
    ///
    /// - Throws: `malformedAnswer` for a member of another type.
    public init(rawData: JSONObject) throws(Fault) {
        let reader = ModelReader(rawData)
        name = try reader.text("name")
        label = try reader.text("label")
        keyPrefix = try reader.text("keyPrefix")
        fields = try reader.array("fields")
        self.rawData = rawData
    }
}

/// The layout of an object type, as the service gives it.
public struct ObjectLayout: Sendable {
    /// Its sections, each an object.
    public let sections: [JSONValue]?
    /// The whole layout.
    public let rawData: JSONObject

    /// Reads a layout. Members that are missing are nil.
    ///
    /// - Throws: `malformedAnswer` for a member of another type.
    public init(rawData: JSONObject) throws(Fault) {
        sections = try ModelReader(rawData).array("sections")
        self.rawData = rawData
    }
}

/// Reads members that may be missing.
private struct ModelReader {
    let json: JSONObject
    init(_ json: JSONObject) { self.json = json }

    func text(_ key: String) throws(Fault) -> String? {
        guard let value = json[key], !value.isNull else { return nil }
        guard let text = value.string else { throw wrong(key) }
        return text
    }

    func array(_ key: String) throws(Fault) -> [JSONValue]? {
        guard let value = json[key], !value.isNull else { return nil }
        guard let array = value.array else { throw wrong(key) }
        return array
    }

    private func wrong(_ key: String) -> Fault {
        Fault(.malformedAnswer, "a description has a member of another type", context: [.path(key)])
    }
}
