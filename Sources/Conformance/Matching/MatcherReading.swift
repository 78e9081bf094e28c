import JSONText

/// Creates matchers from JSON. A text or a key that starts with `$` is a matcher; `$$` means a plain `$`.
struct MatcherReading {
    /// The maximum number of unordered elements. Pairing them needs time proportional to the square of the number, and
    /// recursion as deep as the number.
    static let longestUnordered = 1000

    /// The names under which earlier steps saved results.
    let saved: [String]
    private(set) var problems: [(key: String, message: String)] = []

    init(saved: [String]) { self.saved = saved }

    mutating func matcher(_ value: JSONValue, at key: String, mayBeAbsent: Bool) -> Matcher {
        switch value {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .number(let number): return .number(number)
        case .string(let text): return textMatcher(text, at: key)
        case .array(let elements):
            var matchers: [Matcher] = []
            for (index, element) in elements.enumerated() {
                matchers.append(matcher(element, at: key + "[\(index)]", mayBeAbsent: false))
            }
            return .array(matchers)
        case .object(let object): return objectMatcher(object, at: key, mayBeAbsent: mayBeAbsent)
        }
    }

    private mutating func textMatcher(_ text: String, at key: String) -> Matcher {
        guard Self.isSpecial(text) else {
            return .string(Self.unescaped(text))
        }
        if let kind = Matcher.Kind(rawValue: text) {
            return .kind(kind)
        }
        if let path = SavedPath(text) {
            if !saved.contains(where: { $0.utf8.elementsEqual(path.name.utf8) }) {
                problems.append((key, "no earlier step saves \(path.name)"))
            }
            return .saved(path)
        }
        problems.append((key, "unknown matcher \(text); a text that begins with $ is written with $$"))
        return .null
    }

    private mutating func objectMatcher(_ object: JSONObject, at key: String, mayBeAbsent: Bool) -> Matcher {
        if let special = object.members.first(where: { Self.isSpecial($0.name) }) {
            guard object.count == 1 else {
                problems.append(
                    (
                        key,
                        "\(special.name) must be the only key of its object; a key that begins with $ is written with $$"
                    )
                )
                return .null
            }
            return specialMatcher(special.name, special.value, at: key + "." + special.name, mayBeAbsent: mayBeAbsent)
        }
        var members: [(name: String, matcher: Matcher)] = []
        for member in object.members {
            members.append(
                (Self.unescaped(member.name), matcher(member.value, at: key + "." + member.name, mayBeAbsent: true)))
        }
        return .object(members)
    }

    private mutating func specialMatcher(
        _ name: String, _ value: JSONValue, at key: String, mayBeAbsent: Bool
    ) -> Matcher {
        switch Matcher.Operator(rawValue: name) {
        case .absent:
            if value.bool != true {
                problems.append((key, "must be true"))
            }
            if !mayBeAbsent {
                problems.append((key, "only a member of an object can be absent"))
            }
            return .absent
        case .unordered:
            let matchers = list(value, at: key, leastCount: 0)
            if matchers.count > Self.longestUnordered {
                problems.append((key, "has more than \(Self.longestUnordered) elements"))
            }
            return .unordered(matchers)
        case .oneOf: return .oneOf(list(value, at: key, leastCount: 1))
        case .length:
            guard let count = value.int64, count >= 0, let length = Int(exactly: count) else {
                problems.append((key, "must be an integer from 0"))
                return .null
            }
            return .length(length)
        case .close:
            guard let number = value.double, number.isFinite else {
                problems.append((key, "must be a number"))
                return .null
            }
            return .close(number)
        case nil:
            problems.append((key, "unknown matcher; a key that begins with $ is written with $$"))
            return .null
        }
    }

    private mutating func list(_ value: JSONValue, at key: String, leastCount: Int) -> [Matcher] {
        guard let elements = value.array, elements.count >= leastCount else {
            problems.append((key, leastCount == 0 ? "must be an array" : "must be an array that is not empty"))
            return []
        }
        var matchers: [Matcher] = []
        for (index, element) in elements.enumerated() {
            matchers.append(matcher(element, at: key + "[\(index)]", mayBeAbsent: false))
        }
        return matchers
    }

    private static func isSpecial(_ text: String) -> Bool {
        text.utf8.first == UInt8(ascii: "$") && !text.utf8.starts(with: "$$".utf8)
    }
    private static func unescaped(_ text: String) -> String {
        text.utf8.starts(with: "$$".utf8) ? String(text.dropFirst()) : text
    }
}
