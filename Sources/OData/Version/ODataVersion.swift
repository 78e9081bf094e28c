/// A version of the protocol, whose rules apply to a text or payload.
///
/// Source: MS-ODATA for 1.0 to 3.0, OASIS OData for 4.0 and 4.01. Versions are ordered by age.
public enum ODataVersion: String, Sendable, Hashable, CaseIterable, Comparable {
    case v1 = "1.0"
    case v2 = "2.0"
    case v3 = "3.0"
    case v4 = "4.0"
    case v401 = "4.01"

    /// Whether the version follows OASIS OData (4.0 and later) instead of MS-ODATA.
    public var isV4: Bool { self >= .v4 }

    public static func < (a: ODataVersion, b: ODataVersion) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .v1: 1
        case .v2: 2
        case .v3: 3
        case .v4: 4
        case .v401: 5
        }
    }
}
