import Soups

/// The running value of one aggregation method. Null and values that the method does not know are left out.
struct Aggregation {
    private let method: Transformation.Method
    /// The sum while only exact numbers were added.
    private var sum = EdmDecimal(0)
    /// The sum as soon as a Double or Single took part.
    private var inexactSum: Double?
    private var count: Int64 = 0
    private var best: (value: ODataValue, key: SortKey)?
    private var distinct: Set<GroupKey> = []
    /// About how many bytes the different values take.
    private(set) var byteCount = 0
    /// The metadata with the order of the members of enumerations; nil without metadata.
    private let model: EdmModel?

    init(_ method: Transformation.Method, model: EdmModel?) {
        self.method = method
        self.model = model
    }

    /// Adds a value. Throws `arithmetic` for a sum that is out of range, `limitExceeded` for a value that is too deep.
    mutating func add<Node>(_ term: Term<Node>) throws(Fault) {
        guard !term.isNull else { return }
        switch method {
        case .sum, .average: try addToSum(term)
        case .min, .max: try compare(term)
        case .countdistinct:
            let key = try GroupKey(of: term, model: model)
            if distinct.insert(key).inserted {
                byteCount += key.byteCount
            }
        }
    }

    /// The result: null for a sum, an average and an extreme of nothing. Throws `arithmetic`.
    func result() throws(Fault) -> ODataValue {
        switch method {
        case .min, .max: return best?.value ?? .null
        case .countdistinct: return .int64(Int64(distinct.count))
        case .sum:
            return count == 0 ? .null : inexactSum.map(ODataValue.double) ?? .decimal(sum)
        case .average:
            guard count > 0 else {
                return .null
            }
            if let inexactSum {
                return .double(inexactSum / Double(count))
            }
            guard let average = sum.divided(by: EdmDecimal(count)) else {
                throw Self.overflow
            }
            return .decimal(average)
        }
    }

    private mutating func addToSum<Node>(_ term: Term<Node>) throws(Fault) {
        guard case .value(let value) = term else { return }
        if let inexactSum {
            guard let number = Comparison.double(value) else { return }
            self.inexactSum = inexactSum + number
        } else if let number = Comparison.decimal(value) {
            guard let larger = sum.adding(number) else {
                throw Self.overflow
            }
            sum = larger
        } else if let number = Comparison.double(value) {
            inexactSum = sum.double + number
        } else {
            return
        }
        count += 1
    }

    private mutating func compare<Node>(_ term: Term<Node>) throws(Fault) {
        let key = SortKey(term, model: model)
        if case .other = key {
            return
        }
        let value = try term.value()
        guard let best else {
            self.best = (value, key)
            return
        }
        let order = SortKey.order(key, best.key)
        if method == .min ? order < 0 : order > 0 {
            self.best = (value, key)
        }
    }

    private static let overflow = Fault(.arithmetic, "the sum is out of the range of Edm.Decimal")
}
