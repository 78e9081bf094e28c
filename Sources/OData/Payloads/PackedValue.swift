/// A value in the content of an entry: the value itself if it has a fixed size, otherwise the location of its parts in
/// the content.
///
/// It is bitwise copyable, so that entries can be moved and emptied without visiting their values.
enum PackedValue: BitwiseCopyable {
    case null
    case boolean(Bool)
    case byte(UInt8)
    case sbyte(Int8)
    case int16(Int16)
    case int32(Int32)
    case int64(Int64)
    case decimal(EdmDecimal)
    case double(Double)
    case single(Float)
    case guid(EdmGuid)
    case date(EdmDate)
    case dateTime(EdmDateTime)
    case dateTimeOffset(EdmDateTimeOffset)
    case time(EdmDuration)
    case timeOfDay(EdmTimeOfDay)
    case duration(EdmDuration)
    /// A string: a range of the bytes.
    case text(start: Int, count: Int)
    /// A complex value: a range of the parts.
    case complex(start: Int, count: Int)
    case collection(start: Int, count: Int)
    /// Any other value: an index in `others`.
    case other(Int)

    /// Packs a value of fixed size; nil for other values.
    init?(_ value: ODataValue) {
        switch value {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .byte(let value): self = .byte(value)
        case .sbyte(let value): self = .sbyte(value)
        case .int16(let value): self = .int16(value)
        case .int32(let value): self = .int32(value)
        case .int64(let value): self = .int64(value)
        case .decimal(let value): self = .decimal(value)
        case .double(let value): self = .double(value)
        case .single(let value): self = .single(value)
        case .guid(let value): self = .guid(value)
        case .date(let value): self = .date(value)
        case .dateTime(let value): self = .dateTime(value)
        case .dateTimeOffset(let value): self = .dateTimeOffset(value)
        case .time(let value): self = .time(value)
        case .timeOfDay(let value): self = .timeOfDay(value)
        case .duration(let value): self = .duration(value)
        case .string, .binary, .enumeration, .spatial, .complex, .collection: return nil
        }
    }
}

extension EntryContent {
    /// Packs a value.
    @inline(__always)
    mutating func pack(_ value: ODataValue) -> PackedValue { PackedValue(value) ?? packOther(value) }

    private mutating func packOther(_ value: ODataValue) -> PackedValue {
        if case .string(let text) = value {
            return withBytes(of: text) { pack(text: $0) }
        }
        others.append(value)
        return .other(others.count - 1)
    }

    /// Packs a string.
    @inline(__always)
    mutating func pack(text: UnsafeBufferPointer<UInt8>) -> PackedValue {
        let start = bytes.count
        bytes.append(contentsOf: text)
        return .text(start: start, count: text.count)
    }

    /// Packs the string that the closure appends to the bytes.
    @inline(__always)
    mutating func pack(textBy write: (inout [UInt8]) -> Void) -> PackedValue {
        let start = bytes.count
        write(&bytes)
        return .text(start: start, count: bytes.count - start)
    }

    /// Packs a complex value of these members.
    mutating func pack(members: ArraySlice<Cell>) -> PackedValue {
        parts.append(contentsOf: members)
        return .complex(start: parts.count - members.count, count: members.count)
    }

    /// Packs a collection of these items.
    mutating func pack(items: ArraySlice<Cell>) -> PackedValue {
        parts.append(contentsOf: items)
        return .collection(start: parts.count - items.count, count: items.count)
    }

    /// Unpacks a value. O(n) in the number of its parts. The limits of the reader bound its depth.
    func unpack(_ value: PackedValue) -> ODataValue {
        switch value {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .byte(let value): .byte(value)
        case .sbyte(let value): .sbyte(value)
        case .int16(let value): .int16(value)
        case .int32(let value): .int32(value)
        case .int64(let value): .int64(value)
        case .decimal(let value): .decimal(value)
        case .double(let value): .double(value)
        case .single(let value): .single(value)
        case .guid(let value): .guid(value)
        case .date(let value): .date(value)
        case .dateTime(let value): .dateTime(value)
        case .dateTimeOffset(let value): .dateTimeOffset(value)
        case .time(let value): .time(value)
        case .timeOfDay(let value): .timeOfDay(value)
        case .duration(let value): .duration(value)
        case .text(let start, let count): .string(string(start, count))
        case .complex(let start, let count):
            .complex(
                parts[start..<start + count].map {
                    ODataValue.Member($0.name < 0 ? "" : texts[$0.name], unpack($0.value))
                })
        case .collection(let start, let count): .collection(parts[start..<start + count].map { unpack($0.value) })
        case .other(let index): others[index]
        }
    }
}
