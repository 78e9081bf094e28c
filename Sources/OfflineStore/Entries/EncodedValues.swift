import EntryCoding

/// The texts of values, one after another in one block of memory.
struct EncodedValues: Sendable {
    private(set) var texts: [UInt8] = []
    private(set) var ranges: [Range<Int>] = []

    init(_ values: some Sequence<some Encodable>, _ coding: CodingOptions) throws {
        let encoder = EntryEncoder(coding)
        for value in values {
            let start = texts.count
            try encoder.append(value, to: &texts)
            ranges.append(start..<texts.count)
        }
    }
}
