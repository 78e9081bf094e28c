package import JSONText
package import Soups

/// Changes entries as JSON values.
package enum EntryEdit {
    /// The object of an entry; nil if it is something else.
    static func object(_ text: [UInt8]) throws(Fault) -> JSONObject? {
        do throws(JSONError) {
            return try JSONValue(parsing: text, options: .storedEntry).object
        } catch {
            throw Fault(.corrupt, "a stored entry is not valid JSON: \(error.message)", offset: error.offset)
        }
    }

    /// Sets the value at a path, making the objects on the way that are missing.
    ///
    /// - Throws: `invalidEntry` if something on the way is not an object.
    package static func set(_ value: JSONValue?, at path: String, in entry: inout JSONObject) throws(Fault) {
        let names = path.dottedNames
        entry = try setting(value, at: names[...], path, in: entry)
    }

    /// The depth is that of the path, which is as long as a name.
    private static func setting(
        _ value: JSONValue?, at names: ArraySlice<String>, _ path: String, in object: JSONObject
    ) throws(Fault) -> JSONObject {
        var object = object
        guard let name = names.first else {
            return object
        }
        guard names.count > 1 else {
            object[name] = value
            return object
        }
        let inner = object[name] ?? .object(JSONObject())
        if object[name] == nil, value == nil {
            return object
        }
        guard let members = inner.object else {
            throw Fault(.invalidEntry, "something on the way of the path is not an object", context: [.path(path)])
        }
        object[name] = .object(try setting(value, at: names.dropFirst(), path, in: members))
        return object
    }

    /// The value at a path of objects; `nil` if a member of the path is missing.
    package static func value(at path: String, in entry: JSONObject) -> JSONValue? {
        var value = JSONValue.object(entry)
        for name in path.dottedNames {
            guard let inner = value[name] else { return nil }
            value = inner
        }
        return value
    }

    /// The members by which a sync knows local changes.
    private static let localNames = ["__local__", "__locally_created__", "__locally_updated__", "__locally_deleted__"]

    /// The new text with the local flags of the old one. A text that is not an entry stays as it is, and is refused
    /// when it is stored.
    static func keepingLocalFlags(of old: [UInt8], in new: [UInt8]) throws(Fault) -> [UInt8] {
        let mark = Array("\"__local".utf8)
        guard old.firstRange(of: mark) != nil || new.firstRange(of: mark) != nil, let before = try object(old),
            var after = (try? JSONValue(parsing: new, options: .storedEntry))?.object
        else {
            return new
        }
        for name in localNames {
            after[name] = before[name]
        }
        return JSONValue.object(after).bytes(.compact)
    }
}
