import OData
import Soups

/// The doubles around a number. Two numbers whose cells are on different sides of it are ordered as their exact values.
struct Band {
    let low: Double
    let high: Double
    let number: IndexedNumber

    /// Nil for a number without neighbours.
    init?(_ number: IndexedNumber, isSingle: Bool) {
        guard number.double.isFinite else { return nil }
        var low = number.double
        var high = number.double
        if isSingle || number.isSingle {
            let margin = max(abs(low) * 0x1p-20, 1e-40)
            low -= margin
            high += margin
        } else {
            for _ in 0..<8 {
                low = low.nextDown
                high = high.nextUp
            }
        }
        self.low = low
        self.high = high
        self.number = number
    }
}

extension Cell {
    private var isFloating: Bool { type.primitive == .double || type.primitive == .single }

    private func band(_ value: ODataValue) -> Band? {
        guard type.isUnknown || type.primitive?.isNumeric == true, let number = IndexedNumber(value) else { return nil }
        return Band(number, isSingle: type.primitive == .single)
    }

    /// The bounds of a comparison with a number.
    func number(_ kind: ExpressionNode.Kind, _ value: ODataValue) -> Bounds? {
        guard let band = band(value) else { return nil }
        if self.kind == .row {
            return rowNumber(kind, band)
        }
        guard self.kind != .text else { return nil }
        if kind == .equal {
            return equal(band)
        }
        guard let word = Self.word(kind) else { return nil }
        let isUpward = kind == .greater || kind == .greaterOrEqual
        var candidate =
            isUpward ? test("\(sql) >= ?", .real(band.low)) : test("\(sql) <= ?", .real(band.high))
        guard self.kind == .json else {
            // INF as text is a number, but its cell is empty.
            if isFloating || band.number.isFloating {
                candidate = .any([candidate, test("\(sql) IS NULL")])
            }
            return bounds(candidate, sure: .never, .numberOrder)
        }
        if !isUpward {
            candidate = .any([candidate, test("\(sql) >= ''")])
        }
        let beyond: SQLCondition
        if let integer = band.number.integer, !isFloating, !band.number.isFloating {
            beyond = test("\(sql) \(word) ?", .integer(integer))
        } else {
            beyond = isUpward ? test("\(sql) > ?", .real(band.high)) : test("\(sql) < ?", .real(band.low))
        }
        return bounds(candidate, sure: .all([isInteger, beyond]), .numberOrder)
    }

    private func equal(_ band: Band) -> Bounds {
        let near = test("\(sql) BETWEEN ? AND ?", .real(band.low), .real(band.high))
        guard kind == .json else {
            var result = bounds(near, sure: .never, .numberEqual)
            result.point = point(band, sure: .never, others: [])
            return result
        }
        // A text may be read as a number.
        let candidate = SQLCondition.any([near, test("\(sql) >= ''")])
        var sure = SQLCondition.never
        if let integer = band.number.integer {
            sure = .all([isInteger, test("\(sql) = ?", .integer(integer))])
        }
        var result = bounds(candidate, sure: sure, .numberEqual)
        result.point = point(band, sure: sureInteger(band.number), others: [test("\(sql) >= ''")])
        return result
    }

    /// The cells that have the number of a band, apart from the others in it.
    private func point(_ band: Band, sure: SQLCondition, others: [SQLCondition]) -> PointSearch {
        let number = band.number.integer.map { SQLValue.integer($0) } ?? .real(band.number.double)
        return PointSearch(
            cells: test("\(sql) = ?", number), sure: sure,
            others: [
                test("\(sql) >= ? AND \(sql) < ?", .real(band.low), number),
                test("\(sql) > ? AND \(sql) <= ?", number, .real(band.high)),
            ] + others)
    }

    /// Where a JSON cell that equals a number proves it: 0 and 1 may be booleans.
    private func sureInteger(_ number: IndexedNumber) -> SQLCondition {
        guard let integer = number.integer, integer != 0, integer != 1 else { return .never }
        if let (low, high) = integerRange, integer < low || integer > high {
            return .never
        }
        return test("typeof(\(sql)) = 'integer'")
    }

    /// The bounds of a list of numbers; nil for more than a statement should have.
    func numbers(_ list: [ODataValue]) -> Bounds? {
        guard list.count <= ConjunctPlanner.maximumArms else { return nil }
        var arms: [Bounds] = []
        for value in list {
            guard let band = band(value) else { return nil }
            if kind == .row {
                guard let arm = rowNumber(.equal, band) else { return nil }
                arms.append(arm)
            } else if kind == .text {
                return nil
            } else {
                arms.append(equal(band))
            }
        }
        var result = Bounds.any(arms)
        result.line = .numberList
        return arms.isEmpty ? nil : result
    }

    /// The condition under which a JSON cell is surely an integer: 0 and 1 may be booleans, and a number out of the
    /// range of its declared type is null.
    private var isInteger: SQLCondition {
        var parts = [test("typeof(\(sql)) = 'integer'"), test("\(sql) NOT IN (0, 1)")]
        if let (low, high) = integerRange {
            parts.append(test("\(sql) BETWEEN ? AND ?", .integer(low), .integer(high)))
        }
        return .all(parts)
    }

    /// The integers that the declared type holds exactly; nil for all of them.
    private var integerRange: (Int64, Int64)? {
        switch type.primitive {
        case .byte: (0, 255)
        case .sbyte: (-128, 127)
        case .int16: (-32_768, 32_767)
        // Greater integers are rounded when they are read.
        case .single: (-16_777_216, 16_777_216)
        case .double: (-9_007_199_254_740_992, 9_007_199_254_740_992)
        case .int32: (-2_147_483_648, 2_147_483_647)
        default: nil
        }
    }

    /// A column of every row holds what the row's member holds: an integer of 64 bits.
    private func rowNumber(_ kind: ExpressionNode.Kind, _ band: Band) -> Bounds? {
        let word = kind == .equal ? "=" : Self.word(kind)
        guard let word else { return nil }
        if let integer = band.number.integer, !band.number.isFloating {
            return bounds(
                test("\(sql) \(word) ?", .integer(integer)), sure: .always, .rowColumn, isPoint: kind == .equal)
        }
        switch kind {
        case .equal:
            return bounds(
                test("\(sql) BETWEEN ? AND ?", .real(band.low), .real(band.high)), sure: .never, .rowColumn)
        case .greater, .greaterOrEqual:
            return bounds(
                test("\(sql) >= ?", .real(band.low)), sure: test("\(sql) > ?", .real(band.high)), .rowColumn)
        default:
            return bounds(
                test("\(sql) <= ?", .real(band.high)), sure: test("\(sql) < ?", .real(band.low)), .rowColumn)
        }
    }
}
