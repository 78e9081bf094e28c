/// Puts an id into a stored entry's text.
enum EntryText {
    /// The stored entry with the number after `"_soupEntryId":` replaced, so that an upsert replaces the entry of that
    /// id.
    static func withID(_ id: Int64, _ entry: [UInt8]) -> [UInt8] {
        // The text ends in the system fields. The store overwrites both, and takes the first id it finds.
        let name = Array(#""_soupEntryId":"#.utf8)
        var start = entry.count - name.count
        while start >= 0 {
            if entry[start] == name[0], entry[start...].starts(with: name) {
                let digits = start + name.count
                var end = digits
                while end < entry.count, entry[end] >= 0x30 && entry[end] <= 0x39 {
                    end += 1
                }
                return Array(entry[..<digits]) + Array(String(id).utf8) + Array(entry[end...])
            }
            start -= 1
        }
        return entry
    }
}
