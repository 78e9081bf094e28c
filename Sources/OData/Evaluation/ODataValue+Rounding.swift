extension ODataValue {
    /// The number rounded to an integer; null if the value is not a number.
    ///
    /// `round` rounds half away from zero in all versions: OData URL Conventions 4.01, 5.1.1.9, require it, and
    /// versions 1.0 to 3.0 leave it open.
    func rounded(_ rounding: EdmDecimal.Rounding) -> ODataValue {
        switch self {
        case .decimal(let decimal): .decimal(decimal.rounded(rounding))
        case .double(let double): .double(double.rounded(rounding.floatingPointRule))
        case .single(let single): .single(single.rounded(rounding.floatingPointRule))
        default: Comparison.integer(self) == nil ? .null : self
        }
    }
}

extension EdmDecimal.Rounding {
    fileprivate var floatingPointRule: FloatingPointRoundingRule {
        switch self {
        case .halfAwayFromZero: .toNearestOrAwayFromZero
        case .down: .down
        case .up: .up
        case .towardsZero: .towardZero
        }
    }
}
