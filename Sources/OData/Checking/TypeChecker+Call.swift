import Soups

/// A call with the types of its arguments.
private struct CheckedCall {
    let function: CanonicalFunction
    /// The nodes of the arguments.
    let arguments: [Int]
    let types: [StaticType]
}

extension TypeChecker {
    /// Checks the arguments of a function and returns the type of its result (OData URL Conventions 4.01, 5.1.1.4 and
    /// following).
    mutating func call(_ node: Int, _ arguments: [Int]) throws(Fault) -> StaticType {
        guard let function = expression.function(of: node) else {
            return .unknown
        }
        var types: [StaticType] = []
        for argument in arguments {
            types.append(try check(argument))
        }
        let call = CheckedCall(function: function, arguments: arguments, types: types)
        switch function {
        case .contains, .startswith, .endswith, .indexof, .concat: return try twoTexts(call)
        case .substring: return try substring(call)
        case .geoDistance, .geoLength, .geoIntersects: return try shapes(call)
        case .year, .month, .day, .hour, .minute, .second, .fractionalseconds, .date, .time, .totaloffsetminutes,
            .totalseconds:
            return try instant(call)
        case .substringof, .matchesPattern:
            try expect(call, 0, .string)
            try expect(call, 1, .string)
            return .boolean
        case .length:
            try expect(call, 0, .string, orCollection: takesCollections)
            return .primitive(.int32)
        case .replace:
            for index in 0..<3 {
                try expect(call, index, .string)
            }
            return .string
        case .tolower, .toupper, .trim:
            try expect(call, 0, .string)
            return .string
        case .now, .mindatetime, .maxdatetime: return .primitive(.dateTimeOffset)
        case .round, .floor, .ceiling:
            try expectNumber(call, 0)
            return types[0].isOpen ? .unknown : types[0]
        case .hassubset, .hassubsequence:
            for (index, type) in types.enumerated() where !type.isCollection && !type.isOpen {
                throw mismatch("\(function.name) needs a collection here", at: arguments[index])
            }
            return .boolean
        }
    }

    /// Whether functions of texts take collections too, which they do since version 4.01.
    private var takesCollections: Bool { expression.version == .v401 }

    private func expect(
        _ call: CheckedCall, _ index: Int, _ allowed: EdmPrimitiveType..., orCollection: Bool = false
    ) throws(Fault) {
        let type = call.types[index]
        if type.isOpen || (orCollection && type.isCollection) {
            return
        }
        if let primitive = type.primitive, allowed.contains(primitive) {
            return
        }
        throw mismatch("wrong argument type for \(call.function.name)", at: call.arguments[index])
    }

    private func expectNumber(_ call: CheckedCall, _ index: Int) throws(Fault) {
        guard call.types[index].isNumeric else {
            throw mismatch("\(call.function.name) needs a number here", at: call.arguments[index])
        }
    }

    /// The type of what is made of a text or of a collection: the same.
    private func sameKind(as type: StaticType) -> StaticType {
        takesCollections && type.isOpen ? .unknown : type.isCollection ? type : .string
    }

    private func twoTexts(_ call: CheckedCall) throws(Fault) -> StaticType {
        try expect(call, 0, .string, orCollection: takesCollections)
        try expect(call, 1, .string, orCollection: takesCollections)
        let types = call.types
        if types[0].isCollection != types[1].isCollection, !types[0].isOpen, !types[1].isOpen {
            throw mismatch(
                "the two arguments of \(call.function.name) must be of the same kind", at: call.arguments[1])
        }
        return switch call.function {
        case .indexof: .primitive(.int32)
        case .concat: sameKind(as: types[0])
        default: .boolean
        }
    }

    private func substring(_ call: CheckedCall) throws(Fault) -> StaticType {
        try expect(call, 0, .string, orCollection: takesCollections)
        for index in 1..<call.types.count {
            try expectNumber(call, index)
            let node = call.arguments[index]
            guard !isLiteralFraction(node), !isFractionalPath(node, call.types[index]) else {
                throw mismatch("\(call.function.name) needs a whole number here", at: node)
            }
        }
        return sameKind(as: call.types[0])
    }

    /// A part of an instant or a duration.
    private func instant(_ call: CheckedCall) throws(Fault) -> StaticType {
        switch call.function {
        case .year, .month, .day: try expect(call, 0, .date, .dateTimeOffset, .dateTime)
        case .hour, .minute, .second: try expect(call, 0, .dateTimeOffset, .dateTime, .timeOfDay, .time)
        case .fractionalseconds: try expect(call, 0, .dateTimeOffset, .timeOfDay)
        case .totalseconds: try expect(call, 0, .duration)
        default: try expect(call, 0, .dateTimeOffset)
        }
        return switch call.function {
        case .fractionalseconds, .totalseconds: .primitive(.decimal)
        case .date: .primitive(.date)
        case .time: .primitive(.timeOfDay)
        default: .primitive(.int32)
        }
    }

    private func shapes(_ call: CheckedCall) throws(Fault) -> StaticType {
        if call.function == .geoLength {
            try expect(call, 0, .geography, .geographyLineString, .geometry, .geometryLineString)
            return .primitive(.double)
        }
        try expect(call, 0, .geography, .geographyPoint, .geometry, .geometryPoint)
        if call.function == .geoDistance {
            try expect(call, 1, .geography, .geographyPoint, .geometry, .geometryPoint)
            return .primitive(.double)
        }
        try expect(call, 1, .geography, .geographyPolygon, .geometry, .geometryPolygon)
        return .boolean
    }

    /// Whether a property is declared with a type that has fractions.
    private func isFractionalPath(_ node: Int, _ type: StaticType) -> Bool {
        guard expression.nodes[node].kind == .path, let primitive = type.primitive else { return false }
        return primitive.isNumeric && !primitive.isInteger
    }

    /// Whether a node is a literal of a number that is not whole. Other numbers are known when they are computed.
    private func isLiteralFraction(_ node: Int) -> Bool {
        var node = node
        while expression.nodes[node].kind == .negate {
            node = Int(expression.nodes[node].first)
        }
        guard expression.nodes[node].kind == .literal else { return false }
        let number = expression.value(of: node)
        return Comparison.integer(number) == nil && Comparison.decimal(number)?.int64 == nil
    }
}
