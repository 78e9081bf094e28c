import JSONText

/// A filter as the mock service understands it: comparisons, `and`, `or`, `not`, three functions of texts, and `any`
/// with one comparison.
indirect enum PlainFilter: Sendable {
    /// A property, or one of a complex or single related value.
    case path([String])
    case literal(PlainValue)
    case comparison(String, PlainFilter, PlainFilter)
    case and(PlainFilter, PlainFilter)
    case or(PlainFilter, PlainFilter)
    case not(PlainFilter)
    /// `contains`, `startswith`, `endswith`: the text, and what is looked for.
    case search(String, PlainFilter, PlainFilter)
    /// A collection, the name of the variable, and the condition.
    case any([String], String, PlainFilter)
}

extension PlainFilter {
    /// Whether a thing passes. Nothing known counts as no.
    func passes(_ look: (_ path: [String]) -> (JSONValue?, type: String?)) -> Bool { truth(look) == true }

    private func truth(_ look: ([String]) -> (JSONValue?, type: String?)) -> Bool? {
        switch self {
        case .and(let a, let b):
            let (left, right) = (a.truth(look), b.truth(look))
            if left == false || right == false {
                return false
            }
            return left == nil || right == nil ? nil : true
        case .or(let a, let b):
            let (left, right) = (a.truth(look), b.truth(look))
            if left == true || right == true {
                return true
            }
            return left == nil || right == nil ? nil : false
        case .not(let inner): return inner.truth(look).map { !$0 }
        case .comparison(let word, let a, let b): return Self.compare(word, a.value(look), b.value(look))
        case .search(let word, let a, let b):
            guard case .text(let text) = a.value(look), case .text(let part) = b.value(look) else { return nil }
            switch word {
            case "startswith": return text.utf8.starts(with: part.utf8)
            case "endswith": return text.utf8.reversed().starts(with: part.utf8.reversed())
            default: return Self.hasPart(Array(text.utf8), Array(part.utf8))
            }
        case .any(let path, let name, let condition):
            let (items, type) = look(path)
            return (items?.array ?? []).contains { item in
                condition.passes { inner in
                    guard inner.first == name else { return look(inner) }
                    return (inner.count > 1 ? item[inner[1]] : item, inner.count > 1 ? nil : type)
                }
            }
        case .path, .literal:
            if case .bool(let bool) = value(look) {
                return bool
            }
            return nil
        }
    }

    private func value(_ look: ([String]) -> (JSONValue?, type: String?)) -> PlainValue {
        switch self {
        case .path(let path):
            let (value, type) = look(path)
            return PlainValue(value, type: type)
        case .literal(let value): return value
        default: return truth(look).map(PlainValue.bool) ?? .null
        }
    }

    private static func compare(_ word: String, _ a: PlainValue, _ b: PlainValue) -> Bool {
        if a.isNull || b.isNull {
            let areEqual = a.isNull && b.isNull
            return word == "eq" ? areEqual : word == "ne" ? !areEqual : false
        }
        guard let order = a.compared(to: b) else { return word == "ne" }
        return switch word {
        case "eq": order == 0
        case "ne": order != 0
        case "gt": order > 0
        case "ge": order >= 0
        case "lt": order < 0
        default: order <= 0
        }
    }

    private static func hasPart(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard part.count <= text.count else { return false }
        return (0...(text.count - part.count)).contains { text[$0..<($0 + part.count)].elementsEqual(part) }
    }
}
