import Soups

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
        func expect(_ index: Int, _ allowed: EdmPrimitiveType..., orCollection: Bool = false) throws(Fault) {
            let type = types[index]
            if type.isOpen || (orCollection && type.isCollection) {
                return
            }
            if let primitive = type.primitive, allowed.contains(primitive) {
                return
            }
            throw mismatch("wrong argument type for \(function.name)", at: arguments[index])
        }
        func expectNumber(_ index: Int) throws(Fault) {
            guard types[index].isNumeric else {
                throw mismatch("\(function.name) needs a number here", at: arguments[index])
            }
        }
        let takesCollections = expression.version == .v401
        switch function {
        case .contains, .startswith, .endswith, .indexof, .concat:
            try expect(0, .string, orCollection: takesCollections)
            try expect(1, .string, orCollection: takesCollections)
            if types[0].isCollection != types[1].isCollection, !types[0].isOpen, !types[1].isOpen {
                throw mismatch("the two arguments of \(function.name) must be of the same kind", at: arguments[1])
            }
            if function == .indexof {
                return .primitive(.int32)
            }
            guard function == .concat else {
                return .boolean
            }
            return takesCollections && types[0].isOpen ? .unknown : types[0].isCollection ? types[0] : .string
        case .substringof, .matchesPattern:
            try expect(0, .string)
            try expect(1, .string)
            return .boolean
        case .length:
            try expect(0, .string, orCollection: takesCollections)
            return .primitive(.int32)
        case .replace:
            for index in 0..<3 {
                try expect(index, .string)
            }
            return .string
        case .substring:
            try expect(0, .string, orCollection: takesCollections)
            for index in 1..<types.count {
                try expectNumber(index)
                guard !isLiteralFraction(arguments[index]), !isFractionalPath(arguments[index], types[index]) else {
                    throw mismatch("\(function.name) needs a whole number here", at: arguments[index])
                }
            }
            return takesCollections && types[0].isOpen ? .unknown : types[0].isCollection ? types[0] : .string
        case .tolower, .toupper, .trim:
            try expect(0, .string)
            return .string
        case .year, .month, .day:
            try expect(0, .date, .dateTimeOffset, .dateTime)
            return .primitive(.int32)
        case .hour, .minute, .second:
            try expect(0, .dateTimeOffset, .dateTime, .timeOfDay, .time)
            return .primitive(.int32)
        case .fractionalseconds:
            try expect(0, .dateTimeOffset, .timeOfDay)
            return .primitive(.decimal)
        case .date, .time, .totaloffsetminutes:
            try expect(0, .dateTimeOffset)
            return .primitive(function == .date ? .date : function == .time ? .timeOfDay : .int32)
        case .totalseconds:
            try expect(0, .duration)
            return .primitive(.decimal)
        case .now, .mindatetime, .maxdatetime: return .primitive(.dateTimeOffset)
        case .round, .floor, .ceiling:
            try expectNumber(0)
            return types[0].isOpen ? .unknown : types[0]
        case .geoDistance:
            try expect(0, .geography, .geographyPoint, .geometry, .geometryPoint)
            try expect(1, .geography, .geographyPoint, .geometry, .geometryPoint)
            return .primitive(.double)
        case .geoLength:
            try expect(0, .geography, .geographyLineString, .geometry, .geometryLineString)
            return .primitive(.double)
        case .geoIntersects:
            try expect(0, .geography, .geographyPoint, .geometry, .geometryPoint)
            try expect(1, .geography, .geographyPolygon, .geometry, .geometryPolygon)
            return .boolean
        case .hassubset, .hassubsequence:
            for (index, type) in types.enumerated() where !type.isCollection && !type.isOpen {
                throw mismatch("\(function.name) needs a collection here", at: arguments[index])
            }
            return .boolean
        }
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
