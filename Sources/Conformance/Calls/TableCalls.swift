import JSONText
import OfflineStore
import SQLiteAccess
import Soups

/// The call that reads and changes the file of a store directly, as another implementation does, or as damage.
enum TableCalls {
    static let all: [CallHandler] = [
        .apart("store.executeSQL", writes: true) { (context, arguments) throws(Fault) in
            .array(try context.executeSQL(arguments))
        }
    ]

    static let capabilities: Set<Capability> = [.tables]

    /// Runs statements one after the other, and returns the rows of all of them.
    fileprivate static func run(_ statements: [String], on connection: Connection) throws(Fault) -> [JSONValue] {
        var rows: [JSONValue] = []
        for sql in statements {
            let statement = try connection.prepare(sql)
            while try statement.step() {
                rows.append(.array((0..<statement.columnCount).map { json(statement.value(at: $0)) }))
            }
        }
        return rows
    }

    private static func json(_ value: SQLValue) -> JSONValue {
        switch value {
        case .null: .null
        case .integer(let integer): .number(JSONNumber(integer))
        case .real(let real): JSONNumber(real).map(JSONValue.number) ?? .null
        case .text(let bytes), .blob(let bytes): .string(String(decoding: bytes, as: UTF8.self))
        }
    }
}

extension CallContext {
    /// Closes the store of a call, runs statements on its file, and opens it again with its key and its options.
    fileprivate func executeSQL(_ arguments: CallArguments) throws(Fault) -> [JSONValue] {
        let statements = try arguments.statements()
        let store = try existingStore(arguments)
        let (path, options) = (store.path, store.options)
        return try whileClosed([storeName(arguments)]) { () throws(Fault) in
            let connection = try Connection(
                path: path, library: options.library, access: .readWrite, key: options.key, settings: options.settings)
            defer { connection.close() }
            return try TableCalls.run(statements, on: connection)
        }
    }
}

extension CallArguments {
    /// The statements of a call, in their order.
    fileprivate func statements() throws(Fault) -> [String] {
        var statements: [String] = []
        for element in try array("statements") {
            guard let text = element.string else {
                throw Self.wrong("statements", "must be an array of texts")
            }
            statements.append(text)
        }
        return statements
    }
}
