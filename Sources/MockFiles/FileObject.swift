package import JSONText
package import Soups

/// An object of a data or rule file of a mock service, and where it is, so that messages can say what is wrong with
/// which member.
package struct FileObject {
    private let object: JSONObject
    private let location: String

    package init(_ value: JSONValue, _ location: String) throws(Fault) {
        guard let object = value.object else {
            throw Self.wrong(location, "an object")
        }
        self.object = object
        self.location = location
    }

    package var members: [(name: String, value: JSONValue)] { object.members }

    package func path(_ name: String) -> String { "\(location).\(name)" }

    package static func wrong(_ location: String, _ expected: String) -> Fault {
        Fault(.invalidArguments, "\(location) must be \(expected)")
    }

    package func refuseOthers(than names: [String]) throws(Fault) {
        guard let other = object.names.first(where: { !names.contains($0) }) else { return }
        throw Fault(
            .invalidArguments,
            "\(location) has an unknown member '\(other)'; it may have \(names.joined(separator: ", "))"
        )
    }

    package subscript(_ name: String) -> JSONValue? { object[name] }

    /// A member that is an object; an empty one if it is missing.
    package func object(_ name: String) throws(Fault) -> FileObject { try FileObject(object[name] ?? [:], path(name)) }

    package func array(_ name: String) throws(Fault) -> [JSONValue] { try member(name, "an array", \.array) ?? [] }
    package func text(_ name: String) throws(Fault) -> String? { try member(name, "a text", \.string) }
    package func bool(_ name: String) throws(Fault) -> Bool? { try member(name, "true or false", \.bool) }

    package func number(_ name: String) throws(Fault) -> Int? {
        try member(name, "a whole number") { $0.int64.flatMap { Int(exactly: $0) } }
    }

    package func required(_ name: String) throws(Fault) -> String {
        guard let text = try text(name), !text.isEmpty else {
            throw Self.wrong(path(name), "a text that is not empty")
        }
        return text
    }

    /// A member that is one of some words.
    package func word<Word: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Word.Type
    ) throws(Fault) -> Word? where Word.RawValue == String {
        guard let text = try text(name) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw Self.wrong(path(name), "one of " + Word.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return word
    }

    private func member<Value>(
        _ name: String, _ expected: String, _ read: (JSONValue) -> Value?
    ) throws(Fault) -> Value? {
        guard let value = object[name] else { return nil }
        guard let read = read(value) else {
            throw Self.wrong(path(name), expected)
        }
        return read
    }
}
