extension EdmEnumType {
    /// The text of a number in names of members, as `Red,Blue`: one member or, for a set of flags, the members that
    /// make it up, in the order of their declaration. Nil if no members do. O(n log n) in the number of members.
    func names(of value: Int64) -> String? {
        if let member = members.first(where: { $0.value == value }) {
            return member.name
        }
        guard isFlags else { return nil }
        var rest = value
        var chosen: Set<Int> = []
        // Members for several bits come first, so that one name covers all of them.
        for (index, member) in members.enumerated().sorted(by: { Self.isBefore($0, $1) })
        where member.value != 0 && rest & member.value == member.value {
            rest &= ~member.value
            chosen.insert(index)
        }
        guard rest == 0, !chosen.isEmpty else { return nil }
        return members.indices.filter { chosen.contains($0) }.map { members[$0].name }.joined(separator: ",")
    }

    private static func isBefore(_ a: (offset: Int, element: Member), _ b: (offset: Int, element: Member)) -> Bool {
        let bits = (a.element.value.nonzeroBitCount, b.element.value.nonzeroBitCount)
        return bits.0 == bits.1 ? a.offset < b.offset : bits.0 > bits.1
    }
}
