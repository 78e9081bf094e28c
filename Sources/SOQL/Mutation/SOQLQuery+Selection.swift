extension SOQLQuery {
    /// Says whether the query selects the field at top level, compared without case in ASCII. An alias is ignored;
    /// fields of functions and sub-queries do not count.
    ///
    /// `FIELDS(ALL)` selects every field, `FIELDS(CUSTOM)` those whose name ends in `__c`, `FIELDS(STANDARD)` the
    /// others.
    public func isSelecting(_ field: String) -> Bool {
        guard let list = try? clauses[.select]?.tokens, !field.isEmpty else { return false }
        let name = Array(field.utf8)
        let isCustom = SOQLBytes.areEqual(name.suffix(3), "__c".utf8)
        var isInTypeOf = false
        for item in SOQLItem.items(of: list) {
            // The fields of `TYPEOF a WHEN b THEN c, d END` are those of another object.
            if isInTypeOf || item.begins(with: "typeof") {
                isInTypeOf = !item.hasWord("end")
                continue
            }
            if let selected = item.field, SOQLBytes.areEqual(selected, name) {
                return true
            }
            if item.isFunction("fields", "all") || item.isFunction("fields", isCustom ? "custom" : "standard") {
                return true
            }
        }
        return false
    }
}
