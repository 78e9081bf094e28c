public import JSONText
import Soups

/// What differs between two versions of a record, for requests that send only that.
///
/// Values are compared as JSON values: 1 equals 1.0, and the order of members does not matter. Null and a missing
/// member differ. Reserved fields and `attributes` are left out.
public struct FieldChanges: Sendable, Hashable {
    /// The names of the fields that differ: those of the newer version in its order, then those that only the older one
    /// has.
    public let names: [String]

    /// Compares two versions. Takes time linear in their size.
    public init(from old: JSONObject, to new: JSONObject) {
        let before = MemberIndex(old)
        let after = MemberIndex(new)
        let changed = new.names.filter { ReservedField.isField($0) && before[$0] != after[$0] }
        let removed = old.names.filter { ReservedField.isField($0) && after[$0] == nil }
        names = changed + removed
    }
}
