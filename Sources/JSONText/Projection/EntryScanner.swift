/// Does everything that the store needs before it writes an entry, in one pass over the bytes.
///
/// - Checks it: an object in strict JSON (RFC 8259, UTF-8), nested at most 512 deep, no object with two members of one
///   decoded name.
/// - Finds the values of the index paths, see `JSONProjection`.
/// - Finds the system fields `_soupEntryId` and `_soupLastModifiedDate`, however their names are spelled.
/// - Writes the document to be stored: the caller's bytes without the old system fields, followed by the new ones.
///
/// Reuse a scanner for many entries: once its buffers have grown it allocates no memory. The bytes of the entry must
/// stay valid until the last value was read. Not for use by two threads at once.
public final class EntryScanner {
    /// The `_soupEntryId` in an entry.
    public enum Identifier: Sendable, Hashable {
        case missing, null
        case integer(Int64)
        /// A value that is not a 64-bit integer.
        case other
    }

    /// The values of the index paths of the entry that was scanned last.
    public let values: JSONProjection
    private let pathCount: Int

    /// Compiles index paths. Values are requested by the index in this list.
    public init(paths: [String]) {
        pathCount = paths.count
        values = JSONProjection(
            paths: JSONPathSet(paths, systemNames: Self.systemNames), options: JSONOptions(maximumDepth: 512))
    }

    /// Checks an entry and finds its values. O(n) in the number of bytes. Offsets in errors count from the first byte.
    public func scan(_ entry: UnsafeRawBufferPointer) throws(JSONError) { try values.read(entry, requiresObject: true) }

    /// The `_soupEntryId` in the entry.
    public var identifier: Identifier {
        let value = values.value(pathCount)
        switch value.kind {
        case .missing: return .missing
        case .null: return .null
        case .number:
            if case .integer(let id) = values.numeric(of: pathCount) {
                return .integer(id)
            }
            return .other
        default: return .other
        }
    }

    /// Appends the document to be stored.
    ///
    /// It is the entry as given, with these changes: white space around the object and next to its outer braces is
    /// removed, the old system fields are removed with one comma each, the new ones are appended as the last members,
    /// and member names have only the escapes that JSON requires. The bytes of values do not change.
    public func appendStored(id: Int64, lastModified: Int64, to output: inout [UInt8]) {
        guard let base = values.state.text else { return }
        let runs = values.state.runs
        let names = values.state.escapedNames
        output.append(0x7B)
        var name = 0
        for (index, run) in runs.enumerated() {
            if index > 0 {
                output.append(0x2C)
            }
            var copied = run.start
            while name < names.count, names[name].start < run.end {
                let escaped = names[name]
                name += 1
                // It belongs to a system field that was removed.
                if escaped.start < run.start {
                    continue
                }
                output.append(contentsOf: UnsafeBufferPointer(start: base + copied, count: escaped.start - copied))
                StringEscaping.appendRespelled(base, from: escaped.start + 1, to: escaped.end - 1, into: &output)
                copied = escaped.end
            }
            output.append(contentsOf: UnsafeBufferPointer(start: base + copied, count: run.end - copied))
        }
        if !runs.isEmpty {
            output.append(0x2C)
        }
        output.append(contentsOf: Self.idMember.bytes)
        DecimalWriter.append(id, to: &output)
        output.append(contentsOf: Self.dateMember.bytes)
        DecimalWriter.append(lastModified, to: &output)
        output.append(0x7D)
    }

    /// Appends the entry as it was given, without the system fields and with one comma less for each.
    package func appendWithoutSystemFields(to output: inout [UInt8]) {
        guard let base = values.state.text else { return }
        output.append(0x7B)
        for (index, run) in values.state.runs.enumerated() {
            if index > 0 {
                output.append(0x2C)
            }
            output.append(contentsOf: UnsafeBufferPointer(start: base + run.start, count: run.end - run.start))
        }
        output.append(0x7D)
    }

    private static let systemNames = ["_soupEntryId", "_soupLastModifiedDate"]
    private static let idMember: StaticString = "\"_soupEntryId\":"
    private static let dateMember: StaticString = ",\"_soupLastModifiedDate\":"
}

extension StaticString {
    /// The bytes of a text known at compile time.
    fileprivate var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    }
}
