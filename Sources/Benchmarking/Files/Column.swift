import CSVText
import Soups

/// Defines one column of a report file: its name, type and meaning, how a row is written into it, and how it is read
/// back.
struct Column<Row>: Sendable {
    let description: ColumnDescription
    let write: @Sendable (Row) -> String
    /// nil for a column that readers do not use.
    let read: (@Sendable (inout Row, CSVField) throws(Fault) -> Void)?
    /// Whether reports from before the column was added lack it; `read` is not called then.
    let isAddedLater: Bool

    init(
        _ name: String, _ type: ColumnDescription.Kind, _ meaning: String, isAddedLater: Bool = false,
        write: @escaping @Sendable (Row) -> String,
        read: (@Sendable (inout Row, CSVField) throws(Fault) -> Void)? = nil
    ) {
        description = ColumnDescription(name: name, type: type, meaning: meaning)
        self.write = write
        self.read = read
        self.isAddedLater = isAddedLater
    }
}

/// What a column is called and what it means, for documentation and for programs.
package struct ColumnDescription: Sendable, Hashable {
    /// The type of a field. An empty field means not measured, never 0.
    package enum Kind: String, Sendable {
        case string, integer, number, boolean
    }

    package let name: String
    package let type: Kind
    package let meaning: String
}

// MARK: - Columns that hold a property as it is
extension Column {
    typealias Property<Value> = any WritableKeyPath<Row, Value> & Sendable

    static func text(_ name: String, _ meaning: String, _ property: Property<String>) -> Column {
        Column(
            name, .string, meaning, write: { $0[keyPath: property] },
            read: { (row, field) throws(Fault) in row[keyPath: property] = field.text })
    }

    static func arm(_ name: String, _ meaning: String, _ property: Property<Arm>) -> Column {
        Column(
            name, .string, meaning, write: { $0[keyPath: property].name },
            read: { (row, field) throws(Fault) in row[keyPath: property] = Arm(field.text) })
    }

    /// Several arms, separated by spaces.
    static func arms(_ name: String, _ meaning: String, _ property: Property<[Arm]>) -> Column {
        Column(
            name, .string, meaning, write: { $0[keyPath: property].map(\.name).joined(separator: " ") },
            read: { (row, field) throws(Fault) in
                let names = field.text.utf8.split(separator: UInt8(ascii: " "))
                row[keyPath: property] = names.map { Arm(String(decoding: $0, as: UTF8.self)) }
            })
    }

    /// One of the values that an enum names.
    static func choice<Value: RawRepresentable<String> & Sendable>(
        _ name: String, _ meaning: String, _ property: Property<Value>
    ) -> Column {
        Column(
            name, .string, meaning, write: { $0[keyPath: property].rawValue },
            read: { (row, field) throws(Fault) in
                guard let value = Value(rawValue: field.text) else {
                    throw field.fault("unknown \(name)")
                }
                row[keyPath: property] = value
            })
    }

    static func shard(_ name: String, _ meaning: String, _ property: Property<Shard>) -> Column {
        Column(
            name, .string, meaning, write: { $0[keyPath: property].description },
            read: { (row, field) throws(Fault) in
                guard let shard = Shard(field.text) else {
                    throw field.fault("the shard is not of the form k/N")
                }
                row[keyPath: property] = shard
            })
    }

    static func integer(
        _ name: String, _ meaning: String, _ property: Property<Int>, in range: ClosedRange<Int>
    ) -> Column {
        Column(
            name, .integer, meaning, write: { String($0[keyPath: property]) },
            read: { (row, field) throws(Fault) in row[keyPath: property] = try field.integer(in: range) })
    }

    /// An integer, or an empty field for nil.
    static func optionalInteger(
        _ name: String, _ meaning: String, _ property: Property<Int?>, in range: ClosedRange<Int>,
        isAddedLater: Bool = false
    ) -> Column {
        Column(
            name, .integer, meaning, isAddedLater: isAddedLater,
            write: { $0[keyPath: property].map { String($0) } ?? "" },
            read: { (row, field) throws(Fault) in
                row[keyPath: property] = field.text.isEmpty ? nil : try field.integer(in: range)
            })
    }

    /// A number, or an empty field for nil.
    static func number(
        _ name: String, _ meaning: String, _ property: Property<Double?>, in range: ClosedRange<Double>,
        isAddedLater: Bool = false
    ) -> Column {
        Column(
            name, .number, meaning, isAddedLater: isAddedLater, write: { CSVText.number($0[keyPath: property]) },
            read: { (row, field) throws(Fault) in row[keyPath: property] = try field.number(in: range) })
    }

    /// 1, 0, or an empty field for nil.
    static func truth(_ name: String, _ meaning: String, _ property: Property<Bool?>) -> Column {
        Column(
            name, .boolean, meaning, write: { $0[keyPath: property].map { $0 ? "1" : "0" } ?? "" },
            read: { (row, field) throws(Fault) in row[keyPath: property] = try field.truth() })
    }

    /// The version of the columns; a file of another major version is refused. It comes first.
    static func schema(_ meaning: String = "version of these columns") -> Column {
        Column(
            "schema", .string, meaning, write: { _ in SchemaVersion.current },
            read: { (_, field) throws(Fault) in try SchemaVersion.check(field.text) })
    }

    /// The unit of a row's figures, which follows from what was measured: a file with another one contradicts itself.
    static func unit(_ meaning: String, _ unit: @escaping @Sendable (Row) -> String) -> Column {
        Column(
            "unit", .string, meaning, write: unit,
            read: { (row, field) throws(Fault) in
                let expected = unit(row)
                guard ByteKey(field.text) == ByteKey(expected) else {
                    throw field.fault(
                        "the unit is \(field.text.isEmpty ? "missing" : field.text), but such figures are \(expected.isEmpty ? "without one" : "in \(expected)")"
                    )
                }
            })
    }
}
