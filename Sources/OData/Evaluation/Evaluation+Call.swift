import Soups

extension Evaluation {
    /// Computes a function of the protocol. A null argument makes the result null; so do data of a type that the
    /// function does not take.
    mutating func call(_ index: Int) throws(Fault) -> Value {
        guard let function = evaluator.expression.function(of: index) else {
            return .null
        }
        var arguments: [Value] = []
        var next = node(index).first
        while next >= 0 {
            let value = try term(Int(next))
            if value.isNull {
                return .null
            }
            arguments.append(value)
            next = node(Int(next)).next
        }
        let offset = node(index).range.lowerBound
        switch function {
        case .now: return .value(.dateTimeOffset(evaluator.now))
        case .mindatetime: return .value(.dateTimeOffset(.minimum))
        case .maxdatetime: return .value(.dateTimeOffset(.maximum))
        case .year, .month, .day, .hour, .minute, .second, .fractionalseconds, .date, .time, .totaloffsetminutes,
            .totalseconds:
            return .value(DateParts.value(of: function, dated(arguments[0], for: function)))
        case .round, .floor, .ceiling:
            if case .value(let number) = arguments[0] {
                return .value(Rounding.value(of: function, number))
            }
            return .null
        case .geoDistance, .geoLength, .geoIntersects:
            return try spatial(function, arguments, evaluator.expression.children(of: index), offset)
        case .matchesPattern: return try matchesPattern(index, arguments)
        case .hassubset, .hassubsequence:
            guard let all = collection(arguments[0]), let part = collection(arguments[1]) else {
                return .null
            }
            return .boolean(function == .hassubset ? hasSubset(all, part) : hasSubsequence(all, part))
        default:
            if let lists = try collections(function, arguments, offset) {
                return lists
            }
            return try strings(function, arguments, offset)
        }
    }

    /// The pattern of a literal was compiled with the expression; any other is compiled here, and its faults stand at
    /// its argument.
    private func matchesPattern(_ index: Int, _ arguments: [Value]) throws(Fault) -> Value {
        guard let text = arguments[0].string, let pattern = arguments[1].string else {
            return .null
        }
        if let compiled = evaluator.patterns[index] {
            return .boolean(compiled.matches(text))
        }
        do throws(Fault) {
            return .boolean(try Pattern(parsing: pattern).matches(text))
        } catch {
            throw Fault(
                error.code, error.message, offset: node(evaluator.expression.children(of: index)[1]).range.lowerBound)
        }
    }

    /// A date or time of the data that nobody declared, read as the types that the function takes.
    private func dated(_ value: Value, for function: CanonicalFunction) -> ODataValue {
        switch value {
        case .value(let value): return value
        case .text(let text):
            let candidates: [EdmPrimitiveType] =
                function == .totalseconds ? [.duration] : [.dateTimeOffset, .dateTime, .date, .timeOfDay]
            for type in candidates {
                if let read = Value.read(text, as: type) {
                    return read
                }
            }
            return .null
        default: return .null
        }
    }

    /// Functions of strings. Positions and lengths count Unicode scalars.
    private func strings(_ function: CanonicalFunction, _ arguments: [Value], _ offset: Int) throws(Fault) -> Value {
        guard let text = arguments[0].string else {
            return .null
        }
        switch function {
        case .length: return .value(.int32(Int32(clamping: text.unicodeScalars.count)))
        case .tolower: return .string(text.lowercased())
        case .toupper: return .string(text.uppercased())
        case .trim: return .string(StringFunctions.trimmed(text))
        case .substring: return try substring(text, Array(arguments.dropFirst()), offset)
        default: break
        }
        guard let other = arguments[1].string else {
            return .null
        }
        switch function {
        case .contains: return .boolean(StringFunctions.place(of: other, in: text) != nil)
        case .substringof: return .boolean(StringFunctions.place(of: text, in: other) != nil)
        case .startswith: return .boolean(text.utf8.starts(with: other.utf8))
        case .endswith: return .boolean(text.utf8.reversed().starts(with: other.utf8.reversed()))
        case .indexof: return .value(.int32(StringFunctions.index(of: other, in: text)))
        case .concat: return .string(text + other)
        case .replace:
            return arguments[2].string.map { .string(StringFunctions.replacing(other, by: $0, in: text)) } ?? .null
        default: return .null
        }
    }

    private func substring(_ text: String, _ numbers: [Value], _ offset: Int) throws(Fault) -> Value {
        guard let range = try range(numbers, count: text.unicodeScalars.count, offset) else {
            return .null
        }
        let scalars = text.unicodeScalars
        let start = scalars.index(scalars.startIndex, offsetBy: range.lowerBound)
        let end = scalars.index(start, offsetBy: range.count)
        return .string(String(scalars[start..<end]))
    }

    /// The part that a start and a length mean, within bounds: beyond the end it is empty, and from 4.01 on a negative
    /// start counts from the end.
    private func range(_ numbers: [Value], count: Int, _ offset: Int) throws(Fault) -> Range<Int>? {
        guard let first = integer(numbers[0]) else { return nil }
        guard first >= 0 || version == .v401 else {
            throw Fault(.typeMismatch, "the start of substring is negative", offset: offset)
        }
        let start = first < 0 ? Int(max(0, Int64(count) + max(first, -Int64(count)))) : Int(min(first, Int64(count)))
        guard numbers.count > 1 else {
            return start..<count
        }
        guard let length = integer(numbers[1]) else { return nil }
        guard length >= 0 else {
            throw Fault(.typeMismatch, "the length of substring is negative", offset: offset)
        }
        return start..<(start + Int(min(length, Int64(count - start))))
    }

    private func integer(_ value: Value) -> Int64? {
        guard case .value(let number) = value else { return nil }
        return Comparison.integer(number) ?? Comparison.decimal(number)?.int64
    }

    /// The same functions over collections (4.01); nil where the first argument is none.
    private func collections(_ function: CanonicalFunction, _ arguments: [Value], _ offset: Int) throws(Fault) -> Value?
    {
        guard version == .v401, let list = collection(arguments[0]) else { return nil }
        if function == .length {
            return .value(.int32(Int32(clamping: list.count)))
        }
        if function == .substring {
            return try range(Array(arguments.dropFirst()), count: list.count, offset).map { .list(Array(list[$0])) }
                ?? .null
        }
        guard arguments.count > 1, let other = collection(arguments[1]) else {
            return .null
        }
        func isAt(_ place: Int) -> Bool {
            place >= 0 && place + other.count <= list.count
                && other.indices.allSatisfy { areEqual(list[place + $0], other[$0]) }
        }
        let first = other.count > list.count ? nil : (0...(list.count - other.count)).first(where: isAt)
        switch function {
        case .contains: return .boolean(first != nil)
        case .startswith: return .boolean(isAt(0))
        case .endswith: return .boolean(isAt(list.count - other.count))
        case .indexof: return .value(.int32(Int32(clamping: first ?? -1)))
        case .concat: return .list(list + other)
        default: return .null
        }
    }

    /// Each member of the part has a member of the whole of its own.
    private func hasSubset(_ all: [Value], _ part: [Value]) -> Bool {
        var rest = all
        for member in part {
            guard let place = rest.firstIndex(where: { areEqual($0, member) }) else { return false }
            rest.remove(at: place)
        }
        return true
    }

    /// The members of the part come in their order, others between them allowed.
    private func hasSubsequence(_ all: [Value], _ part: [Value]) -> Bool {
        var next = 0
        for member in all where next < part.count && areEqual(member, part[next]) {
            next += 1
        }
        return next == part.count
    }
}
