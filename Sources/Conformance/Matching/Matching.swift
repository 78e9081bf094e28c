import JSONText

/// Compares a result with a matcher and records which alternative of each `$oneOf` matched.
struct Matching {
    let saved: SavedResults
    /// Notes about alternatives for the report: `returns.a matches alternative 2 of 3`.
    private(set) var notes: [String] = []

    init(saved: SavedResults) { self.saved = saved }

    /// The first difference; nil if the value matches. It recurses as deep as the file is nested, which its reader
    /// limits.
    mutating func difference(_ matcher: Matcher, _ found: JSONValue, at path: String) -> Difference? {
        switch matcher {
        case .null: return found.isNull ? nil : mismatch(path, "null", found)
        case .bool(let value): return found.bool == value ? nil : mismatch(path, "\(value)", found)
        case .number(let number):
            if let value = found.number, NumberEquality.same(number, value) {
                return nil
            }
            return mismatch(path, number.text, found)
        case .string(let text):
            if let value = found.string, value.utf8.elementsEqual(text.utf8) {
                return nil
            }
            return mismatch(path, Difference.text(of: .string(text)), found)
        case .array(let matchers): return arrayDifference(matchers, found, at: path)
        case .object(let members): return objectDifference(members, found, at: path)
        case .absent: return mismatch(path, "no member of that name", found)
        case .unordered(let matchers): return unorderedDifference(matchers, found, at: path)
        case .length(let count):
            guard let elements = found.array else {
                return mismatch(path, "an array of \(count)", found)
            }
            return elements.count == count
                ? nil : Difference(path: path, expected: "\(count) elements", found: "\(elements.count)")
        case .kind(let kind): return kind.admits(found) ? nil : mismatch(path, kind.rawValue, found)
        case .saved(let kept):
            guard let value = saved.value(at: kept) else {
                return Difference(path: path, expected: kept.description, found: "nothing was kept there")
            }
            return difference(Matcher(literal: value), found, at: path)
        case .oneOf(let matchers): return alternativeDifference(matchers, found, at: path)
        case .close(let number):
            if let value = found.double, value.isFinite,
                abs(value - number) <= 1e-9 * max(abs(value), abs(number))
            {
                return nil
            }
            return mismatch(path, "about \(number)", found)
        }
    }

    private func mismatch(_ path: String, _ expected: String, _ found: JSONValue) -> Difference {
        Difference(path: path, expected: expected, found: Difference.text(of: found))
    }

    private mutating func arrayDifference(_ matchers: [Matcher], _ found: JSONValue, at path: String) -> Difference? {
        guard let elements = found.array else {
            return mismatch(path, "an array of \(matchers.count)", found)
        }
        for (index, (matcher, element)) in zip(matchers, elements).enumerated() {
            if let difference = difference(matcher, element, at: path + "[\(index)]") {
                return difference
            }
        }
        guard matchers.count == elements.count else {
            return mismatch(path, "\(matchers.count) elements", found)
        }
        return nil
    }

    private mutating func objectDifference(
        _ members: [(name: String, matcher: Matcher)], _ found: JSONValue, at path: String
    ) -> Difference? {
        guard let object = found.object else {
            return mismatch(path, "an object", found)
        }
        for member in members {
            let path = path + "." + member.name
            switch (member.matcher, object[member.name]) {
            case (.absent, nil): continue
            case (_, nil):
                return Difference(
                    path: path, expected: "a member of that name", found: "none; there are \(object.names)")
            case (let matcher, let value?):
                if let difference = difference(matcher, value, at: path) {
                    return difference
                }
            }
        }
        return nil
    }

    /// Pairs matchers with elements so that each is used once (augmenting paths: an early choice is revised when a
    /// later matcher needs it).
    private mutating func unorderedDifference(_ matchers: [Matcher], _ found: JSONValue, at path: String) -> Difference?
    {
        guard let elements = found.array else {
            return mismatch(path, "an array of \(matchers.count) in any order", found)
        }
        guard elements.count == matchers.count else {
            return mismatch(path, "\(matchers.count) elements in any order", found)
        }
        // Only the pairs that are chosen in the end are noted.
        let before = notes
        var fits: [[Int]] = []
        for matcher in matchers {
            var candidates: [Int] = []
            for (index, element) in elements.enumerated() where difference(matcher, element, at: path) == nil {
                candidates.append(index)
            }
            fits.append(candidates)
        }
        notes = before
        var ownerOf = [Int?](repeating: nil, count: elements.count)
        for index in matchers.indices {
            var seen = [Bool](repeating: false, count: elements.count)
            guard Self.assign(index, fits, &ownerOf, &seen) else {
                return mismatch(path, "an element that matches number \(index) of the elements in any order", found)
            }
        }
        for (index, owner) in ownerOf.enumerated() {
            _ = owner.flatMap { difference(matchers[$0], elements[index], at: path + "[\(index)]") }
        }
        return nil
    }

    private static func assign(_ matcher: Int, _ fits: [[Int]], _ ownerOf: inout [Int?], _ seen: inout [Bool]) -> Bool {
        for candidate in fits[matcher] where !seen[candidate] {
            seen[candidate] = true
            if ownerOf[candidate].map({ assign($0, fits, &ownerOf, &seen) }) ?? true {
                ownerOf[candidate] = matcher
                return true
            }
        }
        return false
    }

    private mutating func alternativeDifference(
        _ matchers: [Matcher], _ found: JSONValue, at path: String
    ) -> Difference? {
        let before = notes
        for (index, matcher) in matchers.enumerated() {
            notes = before
            guard difference(matcher, found, at: path) == nil else { continue }
            notes.append("\(path) matches alternative \(index + 1) of \(matchers.count)")
            return nil
        }
        notes = before
        return mismatch(path, "any of \(matchers.count) alternatives", found)
    }
}

extension Matcher {
    /// Creates a matcher for exactly this value, in which no text is a matcher.
    init(literal value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let number): self = .number(number)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map(Matcher.init(literal:)))
        case .object(let object):
            self = .object(object.members.map { (name: $0.name, matcher: Matcher(literal: $0.value)) })
        }
    }
}

extension Matcher.Kind {
    func admits(_ value: JSONValue) -> Bool {
        switch self {
        case .any: true
        case .integer: value.number.map(NumberEquality.isInteger) ?? false
        case .number: value.number != nil
        case .string: value.string != nil
        case .boolean: value.bool != nil
        }
    }
}
