import JSONText

/// Writes the rows of records: their bytes as they came, without the members that are not saved, with the flags after
/// the last one.
struct RowWriter {
    /// The flags and the id of the sync, as members.
    private let flags: [UInt8]

    init(syncId: Int64) {
        flags = Array(
            #""__local__":false,"__locally_created__":false,"__locally_updated__":false,"__locally_deleted__":false,"__sync_id__":\#(syncId)}"#
                .utf8)
    }

    /// The row of a record.
    ///
    /// - Parameter extra: A member that is written before the flags, with a comma after it.
    func row(of record: DownRecord, in bytes: [UInt8], extra: [UInt8] = []) -> [UInt8] {
        var row: [UInt8] = []
        row.reserveCapacity(record.range.count + flags.count + extra.count + 1)
        var position = record.range.lowerBound
        for dropped in record.dropped {
            row += bytes[position..<dropped.lowerBound]
            position = dropped.upperBound
        }
        // Without the closing brace.
        row += bytes[position..<record.range.upperBound - 1]
        if !record.dropped.isEmpty {
            Self.mend(&row)
        }
        if !record.isEmpty {
            row.append(UInt8(ascii: ","))
        }
        row += record.added
        row += extra
        row += flags
        return row
    }

    /// Removes the comma that is left after the brace if the first members were dropped.
    private static func mend(_ row: inout [UInt8]) {
        guard let first = row.dropFirst().firstIndex(where: { !isBlank($0) }), row[first] == UInt8(ascii: ",") else {
            return
        }
        row.remove(at: first)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
