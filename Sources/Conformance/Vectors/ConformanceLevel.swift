/// How much of the contract an implementation conforms to. A level includes the ones before it.
public enum ConformanceLevel: String, Sendable, CaseIterable, Comparable {
    /// What every store of this kind does.
    case core
    /// What the guide of Mobile SDK describes besides.
    case full
    /// Everything else.
    case extended

    public static func < (a: ConformanceLevel, b: ConformanceLevel) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .core: 0
        case .full: 1
        case .extended: 2
        }
    }
}
