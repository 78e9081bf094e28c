package import JSONText
import Soups

/// Writes the properties of entries as members of JSON objects, with their values in the stored form.
///
/// No tree is built of the values. The entries of a feed share the texts of their names, so each name is judged and
/// escaped once.
package struct StoredPropertyWriter {
    private enum Name {
        case leftOut
        /// A range of `members`: the comma, the name and the colon.
        case kept(start: Int, count: Int)
    }

    private let model: EdmModel?
    private let isKept: (String) -> Bool
    private var texts: SharedTexts?
    private var names = TextMemo<Name>()
    private var members: [UInt8] = []

    /// - Parameters:
    ///   - model: The model that names the members of enumerations.
    ///   - isKept: Whether the property with a name is written.
    package init(model: EdmModel?, isKept: @escaping (String) -> Bool) {
        self.model = model
        self.isKept = isKept
    }

    /// Appends the properties of an entry in their order, each after a comma. O(n) in their size.
    ///
    /// - Parameter typed: Gives an object with the type that the payload states for it; called for each such object
    ///   with the name of its property and the type.
    /// - Returns: The number of properties that were left out.
    package mutating func append(
        _ entry: ODataEntry, to output: inout [UInt8],
        typed: (_ value: JSONValue, _ name: String, _ type: String) -> JSONValue
    ) -> Int {
        start(entry)
        let bytes = entry.textBytes
        var leftOut = 0
        for cell in entry.cells {
            guard case .kept(let start, let count) = name(of: cell, entry) else {
                leftOut += 1
                continue
            }
            members.withUnsafeBufferPointer { members in
                output.append(contentsOf: UnsafeBufferPointer(rebasing: members[start..<start + count]))
            }
            guard case .text(let start, let count) = cell.value else {
                append(cell, of: entry, to: &output, typed)
                continue
            }
            bytes.withUnsafeBytes { bytes in
                StringEscaping.append(UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]), to: &output)
            }
        }
        return leftOut
    }

    /// Forgets the names if the entry has other texts than the last one.
    private mutating func start(_ entry: ODataEntry) {
        guard texts !== entry.texts else { return }
        texts = entry.texts
        names.removeAll()
        members.removeAll(keepingCapacity: true)
    }

    private mutating func name(of cell: EntryContent.Cell, _ entry: ODataEntry) -> Name {
        names.value(of: cell.name) {
            let name = entry.name(of: cell)
            guard isKept(name) else { return .leftOut }
            let start = members.count
            members.append(UInt8(ascii: ","))
            StringEscaping.append(name, to: &members)
            members.append(UInt8(ascii: ":"))
            return .kept(start: start, count: members.count - start)
        }
    }

    /// Appends a value that is not a string.
    private func append(
        _ cell: EntryContent.Cell, of entry: ODataEntry, to output: inout [UInt8],
        _ typed: (JSONValue, String, String) -> JSONValue
    ) {
        switch cell.value {
        case .int16(let value): DecimalWriter.append(Int64(value), to: &output)
        case .int32(let value): DecimalWriter.append(Int64(value), to: &output)
        case .int64(let value): DecimalWriter.append(value, to: &output)
        default:
            var value = entry.unpack(cell).stored(model)
            if case .object = value, let type = entry.statedType(of: cell) {
                value = typed(value, entry.name(of: cell), type)
            }
            value.append(to: &output)
        }
    }
}

extension ODataEntry {
    /// Whether the entry has nothing but properties, links and control information: no expanded entities, annotations
    /// or removal.
    package var hasOnlyProperties: Bool { !hasRest || navigation.isEmpty && annotations.isEmpty && deletion == nil }

    /// Whether the payload states the type of a property.
    package var statesPropertyTypes: Bool { cells.contains { $0.type >= 0 } }

    /// The value of the property with a name in its stored form; nil if no property has it.
    package func stored(_ name: String, _ model: EdmModel?) -> JSONValue? {
        cell(named: name).map { unpack($0).stored(model) }
    }
}
