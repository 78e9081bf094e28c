import Soups

extension Evaluation {
    /// Evaluates a call of a canonical function.
    ///
    /// The result is null if an argument is null, or if the data have a type that the function does not accept.
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
        // Two collections of the data are compared by their declared types. A literal has the types that it is written
        // with.
        if arguments.count == 2, case .node = arguments[0], case .node = arguments[1] {
            let first = Int(node(index).first)
            arguments = [withTypes(arguments[0], of: first), withTypes(arguments[1], of: Int(node(first).next))]
        }
        return try value(of: function, arguments, at: index)
    }

    /// Computes a function of arguments that are not null.
    ///
    /// The switch has no default case: a function that is added to `CanonicalFunction` must be added here too.
    private mutating func value(
        of function: CanonicalFunction, _ arguments: [Value], at index: Int
    ) throws(Fault) -> Value {
        for argument in arguments {
            try budget.spend(1 + (argument.string?.utf8.count ?? 0) >> 6)
        }
        return switch function {
        case .now: .value(.dateTimeOffset(evaluator.now))
        case .mindatetime: .value(.dateTimeOffset(.minimum))
        case .maxdatetime: .value(.dateTimeOffset(.maximum))
        case .year: part(.year, arguments)
        case .month: part(.month, arguments)
        case .day: part(.day, arguments)
        case .hour: part(.hour, arguments)
        case .minute: part(.minute, arguments)
        case .second: part(.second, arguments)
        case .fractionalseconds: part(.fractionalSeconds, arguments)
        case .date: part(.date, arguments)
        case .time: part(.time, arguments)
        case .totaloffsetminutes: part(.totalOffsetMinutes, arguments)
        case .totalseconds: part(.totalSeconds, arguments)
        case .round: rounded(.halfAwayFromZero, arguments)
        case .floor: rounded(.down, arguments)
        case .ceiling: rounded(.up, arguments)
        case .geoDistance: try geoDistance(arguments, at: index)
        case .geoLength: try geoLength(arguments, at: index)
        case .geoIntersects: try geoIntersects(arguments, at: index)
        case .matchesPattern: try matchesPattern(index, arguments)
        case .hassubset, .hassubsequence: try subset(function, arguments)
        case .length: length(arguments)
        case .substring: try substring(arguments, at: index)
        case .contains, .startswith, .endswith, .indexof:
            try search(function, arguments) ?? withTexts(arguments) { Self.search(function, $0, $1) }
        case .concat: try concatenation(arguments)
        case .substringof: withTexts(arguments) { .boolean(StringFunctions.offset(of: $0, in: $1) != nil) }
        case .replace: try replace(arguments)
        case .tolower: try made(withText(arguments) { .string(StringFunctions.lowercased($0)) })
        case .toupper: try made(withText(arguments) { .string($0.uppercased()) })
        case .trim: try made(withText(arguments) { .string(StringFunctions.trimmed($0)) })
        }
    }

    /// A text that is not much longer than an argument, paid for after it was made.
    private mutating func made(_ value: Value) throws(Fault) -> Value {
        try budget.make(value.string?.utf8.count ?? 0)
        return value
    }

    private mutating func subset(_ function: CanonicalFunction, _ arguments: [Value]) throws(Fault) -> Value {
        guard let (all, found) = lists(arguments), let part = found else {
            return .null
        }
        return .boolean(function == .hassubset ? try hasSubset(all, part) : try hasSubsequence(all, part))
    }

    /// Searches a collection in another one; nil if the first argument is not a collection.
    private mutating func search(_ function: CanonicalFunction, _ arguments: [Value]) throws(Fault) -> Value? {
        guard let (all, part) = lists(arguments) else { return nil }
        guard let part else {
            return .null
        }
        switch function {
        case .contains: return .boolean(try firstIndex(of: part, in: all) != nil)
        case .startswith: return .boolean(try list(all, has: part, at: 0))
        case .endswith: return .boolean(try list(all, has: part, at: all.count - part.count))
        default: return .value(.int32(Int32(clamping: try firstIndex(of: part, in: all) ?? -1)))
        }
    }

    private static func search(_ function: CanonicalFunction, _ text: String, _ part: String) -> Value {
        switch function {
        case .contains: .boolean(StringFunctions.offset(of: part, in: text) != nil)
        case .startswith: .boolean(text.utf8.starts(with: part.utf8))
        case .endswith: .boolean(text.utf8.reversed().starts(with: part.utf8.reversed()))
        default: .value(.int32(StringFunctions.index(of: part, in: text)))
        }
    }

    private mutating func concatenation(_ arguments: [Value]) throws(Fault) -> Value {
        if let (first, second) = lists(arguments) {
            guard let second else {
                return .null
            }
            try budget.makeCollection(first.count + second.count)
            return .list(first + second)
        }
        guard let first = arguments[0].string, let second = arguments[1].string else {
            return .null
        }
        try budget.make(first.utf8.count + second.utf8.count)
        return .string(first + second)
    }

    /// Calls a function of one string; null for arguments of another type.
    private func withText(_ arguments: [Value], _ body: (String) -> Value) -> Value {
        arguments.first?.string.map(body) ?? .null
    }

    /// Calls a function of two strings; null for arguments of another type.
    private func withTexts(_ arguments: [Value], _ body: (String, String) -> Value) -> Value {
        guard let first = arguments[0].string, let second = arguments[1].string else {
            return .null
        }
        return body(first, second)
    }

    /// Evaluates `matchesPattern`. A literal pattern was compiled together with the expression. Any other pattern is
    /// compiled here; its faults have the offset of the argument.
    private mutating func matchesPattern(_ index: Int, _ arguments: [Value]) throws(Fault) -> Value {
        guard let text = arguments[0].string, let pattern = arguments[1].string else {
            return .null
        }
        if let compiled = evaluator.patterns[index] {
            return .boolean(try compiled.matches(text, &budget))
        }
        let compiled: Pattern
        do throws(Fault) {
            compiled = try Pattern(parsing: pattern)
        } catch {
            throw Fault(
                error.code, error.message, offset: node(evaluator.expression.children(of: index)[1]).range.lowerBound)
        }
        return .boolean(try compiled.matches(text, &budget))
    }

    private func part(_ part: DatePart, _ arguments: [Value]) -> Value {
        guard let argument = arguments.first else {
            return .null
        }
        return .value(part.value(of: dated(argument, for: part)))
    }

    /// The date or time of an argument. Text without a declared type is parsed as one of the types that the function
    /// accepts.
    private func dated(_ value: Value, for part: DatePart) -> ODataValue {
        switch value {
        case .value(let value): return value
        case .text(let text):
            let candidates: [EdmPrimitiveType] =
                part == .totalSeconds
                ? [.duration] : [.dateTimeOffset, .dateTime, .date, .timeOfDay] + (version.isV4 ? [] : [.time])
            for type in candidates {
                if let read = Value.read(text, as: type) {
                    return read
                }
            }
            return .null
        default: return .null
        }
    }

    private func rounded(_ rounding: EdmDecimal.Rounding, _ arguments: [Value]) -> Value {
        guard case .value(let number)? = arguments.first else {
            return .null
        }
        return .value(number.rounded(rounding))
    }

    /// The length of a string in Unicode scalars, or of a collection.
    private func length(_ arguments: [Value]) -> Value {
        if let list = list(arguments) {
            return .value(.int32(Int32(clamping: list.count)))
        }
        return withText(arguments) { .value(.int32(Int32(clamping: $0.unicodeScalars.count))) }
    }

    private mutating func replace(_ arguments: [Value]) throws(Fault) -> Value {
        guard let text = arguments[0].string, let old = arguments[1].string,
            let new = arguments[2].string
        else {
            return .null
        }
        let offsets = StringFunctions.occurrences(of: old, in: text)
        let (growth, overflow) = offsets.count.multipliedReportingOverflow(by: new.utf8.count - old.utf8.count)
        let (length, isTooLong) = text.utf8.count.addingReportingOverflow(growth)
        try budget.make(overflow || isTooLong ? .max >> 1 : length)
        return .string(StringFunctions.replacing(offsets, of: old, by: new, in: text))
    }

    /// A part of a string, in Unicode scalars, or of a collection.
    private mutating func substring(_ arguments: [Value], at index: Int) throws(Fault) -> Value {
        let offset = node(index).range.lowerBound
        if let list = list(arguments) {
            guard let range = try range(arguments.dropFirst(), count: list.count, offset) else {
                return .null
            }
            try budget.makeCollection(range.count)
            return .list(Array(list[range]))
        }
        guard let scalars = arguments.first?.string?.unicodeScalars,
            let range = try range(arguments.dropFirst(), count: scalars.count, offset)
        else {
            return .null
        }
        let start = scalars.index(scalars.startIndex, offsetBy: range.lowerBound)
        let end = scalars.index(start, offsetBy: range.count)
        return try made(.string(String(scalars[start..<end])))
    }

    /// The range that the start and the length of `substring` select, within bounds. A start past the end gives an
    /// empty range; from version 4.01 on, a negative start counts from the end.
    private func range(_ numbers: ArraySlice<Value>, count: Int, _ offset: Int) throws(Fault) -> Range<Int>? {
        guard let first = numbers.first.flatMap(integer) else { return nil }
        guard first >= 0 || version == .v401 else {
            throw Fault(.typeMismatch, "the start of substring is negative", offset: offset)
        }
        let start = first < 0 ? Int(max(0, Int64(count) + max(first, -Int64(count)))) : Int(min(first, Int64(count)))
        guard let second = numbers.dropFirst().first else {
            return start..<count
        }
        guard let length = integer(second) else { return nil }
        guard length >= 0 else {
            throw Fault(.typeMismatch, "the length of substring is negative", offset: offset)
        }
        return start..<(start + Int(min(length, Int64(count - start))))
    }

    private func integer(_ value: Value) -> Int64? {
        guard case .value(let number) = value else { return nil }
        return Comparison.integer(number) ?? Comparison.decimal(number)?.int64
    }
}
