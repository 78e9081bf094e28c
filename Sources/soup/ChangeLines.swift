import ArgumentParser
import JSONText

/// The changes in a file for `soup odata edit` and `soup sync edit`: a JSON object in each line.
enum ChangeLines {
    /// A change of what is there.
    enum Named {
        case update(key: JSONValue, changes: JSONObject)
        case delete(key: JSONValue)

        var key: JSONValue {
            switch self {
            case .update(let key, _), .delete(let key): key
            }
        }
    }

    /// The lines with their numbers, without empty ones; nil for a line that is not a JSON object.
    static func read(_ bytes: [UInt8]) -> [(number: Int, change: JSONObject?)] {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.enumerated().compactMap { index, line in
            guard line.contains(where: { $0 > 0x20 }) else { return nil }
            return (index + 1, (try? JSONValue(parsing: Array(line)))?.object)
        }
    }

    /// What a line that creates nothing changes.
    ///
    /// - Throws: `ValidationError` for a line that names no change, or two, and for an update without changes.
    static func named(in change: JSONObject, line: Int) throws -> Named {
        switch (change["update"], change["delete"]) {
        case (nil, let key?): return .delete(key: key)
        case (let key?, nil):
            guard let changes = change["changes"]?.object else {
                throw ValidationError("line \(line): update needs an object of changes")
            }
            return .update(key: key, changes: changes)
        case (nil, nil): throw ValidationError("line \(line) has no change; give create, update or delete")
        default: throw ValidationError("line \(line) has both update and delete; give one of them")
        }
    }
}
