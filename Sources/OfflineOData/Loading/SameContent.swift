import JSONText

extension JSONObject {
    /// Whether two rows are written alike, apart from the fields of the store: the same properties in the same order,
    /// with numbers of the same digits. The members that every row has may be in another order, as they are after an
    /// edit that was taken back.
    func hasSameContent(as other: JSONObject) -> Bool {
        let own = members.lazy.filter { !RowMember.isForbidden($0.name) }
        guard own.elementsEqual(other.members.lazy.filter { !RowMember.isForbidden($0.name) }, by: Self.isSame) else {
            return false
        }
        let (rowMembers, others) = (rowMembers, other.rowMembers)
        return rowMembers.count == others.count
            && rowMembers.allSatisfy { member in others.contains { Self.isSame(member, $0) } }
    }

    private var rowMembers: [(name: String, value: JSONValue)] {
        members.filter { RowMember.isForbidden($0.name) && !$0.name.utf8.starts(with: "_soup".utf8) }
            .map { ($0.name, $0.value) }
    }

    fileprivate static func isSame(
        _ a: (name: String, value: JSONValue), _ b: (name: String, value: JSONValue)
    ) -> Bool {
        a.name.utf8.elementsEqual(b.name.utf8) && a.value.isWrittenAlike(b.value)
    }
}

extension JSONValue {
    /// Whether two values have one text.
    fileprivate func isWrittenAlike(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)): a.text.utf8.elementsEqual(b.text.utf8)
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.array(let a), .array(let b)): a.elementsEqual(b) { $0.isWrittenAlike($1) }
        case (.object(let a), .object(let b)): a.members.elementsEqual(b.members, by: JSONObject.isSame)
        default: false
        }
    }
}
