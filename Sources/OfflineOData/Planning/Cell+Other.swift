import OData
import Soups

extension Cell {
    /// The bounds of `eq true` and `eq false`, and of a path alone.
    func boolean(_ flag: Bool) -> Bounds? {
        guard fits(.boolean) else { return nil }
        let number = SQLValue.integer(flag ? 1 : 0)
        let candidate: SQLCondition
        switch kind {
        case .text: candidate = test("\(sql) = ?", .text(flag ? "true" : "false"))
        // The text of a boolean is no number.
        case .number: candidate = .any([test("\(sql) = ?", number), test("\(sql) IS NULL")])
        case .json: candidate = .any([test("\(sql) = ?", number), test("\(sql) >= ''")])
        case .row: return nil
        }
        return bounds(candidate, sure: .never, .boolean)
    }

    /// The bounds of `eq null`.
    func equalsNull() -> Bounds? {
        let isNull = test("\(sql) IS NULL")
        switch kind {
        case .row: return nil
        case .number:
            return type.isUnknown ? bounds(isNull, sure: .never, .null) : nil
        case .text:
            guard type.isUnknown || type.primitive == .string else {
                return bounds(.always, sure: isNull, .null)
            }
            var candidates = [isNull]
            if !type.isUnknown {
                candidates.append(mayBeUnsure)
            }
            // Values that a path through arrays has collected.
            if isNested {
                candidates.append(test("\(sql) >= '[' AND \(sql) < '\\'"))
            }
            return bounds(.any(candidates), sure: candidates.count == 1 ? .always : isNull, .null)
        case .json:
            if type.isUnknown {
                return bounds(isNull, sure: .always, .null)
            }
            guard type.primitive == .string else {
                return bounds(.always, sure: isNull, .null)
            }
            return bounds(.any([isNull, test("\(sql) < ''")]), sure: isNull, .null)
        }
    }

    /// The bounds of `ne null`.
    func differsFromNull() -> Bounds? {
        // With a declared type, null may be a number out of its range, and an empty cell an array.
        equalsNull()?.opposite
    }

    /// The bounds of `eq` with a guid, whose letters may have any case.
    func guid(_ guid: EdmGuid) -> Bounds? {
        guard fits(.guid), kind == .text || kind == .json else { return nil }
        let lower = guid.description.lowercased()
        let upper = lower.uppercased()
        var prefixes = [""]
        var letters = 0
        for character in lower {
            let other = String(character).uppercased()
            if other != String(character) {
                letters += 1
                prefixes = prefixes.flatMap { [$0 + String(character), $0 + other] }
            } else {
                prefixes = prefixes.map { $0 + String(character) }
            }
            if letters == 3 {
                break
            }
        }
        return bounds(
            .any(prefixes.map { startsWith($0) }),
            sure: test("\(sql) IN (?, ?)", .text(lower), .text(upper)), .guid)
    }
}
