import JSONText
import OData
import Soups

extension Cell {
    /// The bounds of a comparison with a text.
    func text(_ kind: ExpressionNode.Kind, _ text: String) -> Bounds? {
        guard fits(.string), self.kind == .text || self.kind == .json else { return nil }
        let value = SQLValue.text(text)
        if kind == .equal {
            let sure: SQLCondition = Self.isPlain(text, self.kind) ? .always : .never
            return bounds(test("\(sql) = ?", value), sure: sure, .textEqual, isPoint: true)
        }
        guard let word = Self.word(kind) else { return nil }
        var parts = [test("\(sql) \(word) ?", value)]
        // Numbers are less than all texts to SQLite.
        if self.kind == .json, kind == .less || kind == .lessOrEqual {
            parts.append(test("\(sql) >= ''"))
        }
        return bounds(.all(parts), sure: sureText, .textOrder)
    }

    /// Where the candidates of a condition about a text are texts.
    private var sureText: SQLCondition {
        kind == .text ? .opposite(mayBeUnsure) : .opposite(.test("\(sql) GLOB '[[{]*'", []))
    }

    /// The bounds of a list of texts.
    func texts(_ list: [String]) -> Bounds? {
        guard fits(.string), kind == .text || kind == .json else { return nil }
        let plain = list.filter { Self.isPlain($0, kind) }
        let sure: SQLCondition = plain.count == list.count ? .always : isOneOf(plain)
        return bounds(isOneOf(list), sure: sure, .textList)
    }

    private static let valuesAtOnce = 5_000

    private func isOneOf(_ list: [String]) -> SQLCondition {
        .any(
            stride(from: 0, to: list.count, by: Self.valuesAtOnce).map { start in
                let chunk = list[start..<min(start + Self.valuesAtOnce, list.count)]
                let marks = [String](repeating: "?", count: chunk.count).joined(separator: ",")
                return .test("\(sql) IN (\(marks))", chunk.map { .text($0) })
            })
    }

    /// The bounds of a function that looks for a text in the value.
    func search(_ function: CanonicalFunction, _ part: String) -> Bounds? {
        guard fits(.string), kind == .text || kind == .json else { return nil }
        if kind == .json, part.isEmpty || function != .startswith {
            return nil
        }
        guard !part.isEmpty else {
            return bounds(test("\(sql) IS NOT NULL"), sure: sureText, .emptyNeedle)
        }
        let value = SQLValue.text(part)
        switch function {
        case .startswith: return bounds(startsWith(part), sure: sureText, .prefix)
        case .contains, .substringof:
            return bounds(test("instr(\(sql), ?) > 0", value), sure: sureText, .contains)
        case .endswith:
            let count = SQLValue.integer(Int64(part.unicodeScalars.count))
            return bounds(
                .all([
                    test("length(\(sql)) >= ?", count),
                    test("substr(\(sql), length(\(sql)) - ? + 1) = ?", count, value),
                ]), sure: sureText, .suffix)
        default: return nil
        }
    }

    /// Whether a text cell begins with a text.
    func startsWith(_ part: String) -> SQLCondition {
        guard let end = Self.next(after: part) else {
            return test("\(sql) >= ?", .text(part))
        }
        return test("\(sql) >= ? AND \(sql) < ?", .text(part), .text(end))
    }

    /// The first text after all that begin with a text; nil if there is none.
    static func next(after text: String) -> String? {
        var scalars = Array(text.unicodeScalars)
        while let last = scalars.popLast() {
            let value = last.value == 0xD7FF ? 0xE000 : last.value + 1
            if let next = Unicode.Scalar(value) {
                scalars.append(next)
                var result = ""
                result.unicodeScalars.append(contentsOf: scalars)
                return result
            }
        }
        return nil
    }

    /// Whether a cell with this text proves a text.
    static func isPlain(_ text: String, _ kind: Kind) -> Bool {
        guard let first = text.utf8.first else {
            return true
        }
        if first == UInt8(ascii: "[") || first == UInt8(ascii: "{") {
            return false
        }
        guard kind == .text else {
            return true
        }
        if first == UInt8(ascii: "-") || first &- 0x30 < 10 {
            return (try? JSONValue(parsing: text)) == nil
        }
        return !text.utf8.elementsEqual("true".utf8) && !text.utf8.elementsEqual("false".utf8)
    }

    static func word(_ kind: ExpressionNode.Kind) -> String? {
        switch kind {
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .less: "<"
        case .lessOrEqual: "<="
        default: nil
        }
    }
}
