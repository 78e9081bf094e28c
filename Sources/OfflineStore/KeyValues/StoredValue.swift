import SQLiteAccess
import Soups

/// Where the value of a key is: in its row, or in pieces under a number.
enum StoredValue {
    case bytes([UInt8])
    /// The number of bytes of all pieces is known unless an earlier version of this library wrote the value.
    case pieces(Int64, length: Int64?)
}

extension StoreSession {
    /// Finds the value of a key; `nil` if the key has no value. `body` sees the state in which it was found.
    func withStoredValue<R>(
        of key: String, _ body: (StoredValue) throws(Fault) -> R
    ) throws(Fault) -> R? {
        let found = try connection.statement("SELECT value, pieces FROM kv WHERE key = ?")
        // A statement that is not reset keeps its state of the database for the statements that run during it.
        defer { found.clear() }
        try found.bind(text: key, at: 1)
        guard try found.step() else { return nil }
        return try body(Self.value(found, at: 0))
    }

    /// The value of a row, from the columns `value` and `pieces`.
    private static func value(_ row: Statement, at column: Int) -> StoredValue {
        guard !row.isNull(at: column + 1) else { return .bytes(row.bytes(at: column)) }
        return .pieces(row.integer(at: column + 1), length: row.isNull(at: column) ? nil : row.integer(at: column))
    }

    /// The bytes of a value, its pieces joined.
    ///
    /// - Throws: `corrupt` if a piece is missing.
    func bytes(of value: StoredValue) throws(Fault) -> [UInt8] {
        switch value {
        case .bytes(let bytes):
            return bytes
        case .pieces(let pieces, let length):
            var bytes: [UInt8] = []
            var sequence = PieceSequence(length: length)
            let rows = try connection.statement("SELECT number, data FROM kv_pieces WHERE pieces = ? ORDER BY number")
            defer { rows.clear() }
            try rows.bind(integer: pieces, at: 1)
            while try rows.step() {
                let piece = rows.lentBytes(at: 1)
                try sequence.add(rows.integer(at: 0), count: piece.count)
                bytes += piece
            }
            try sequence.end()
            return bytes
        }
    }

    /// The number of bytes of a value, without reading it.
    ///
    /// - Throws: `corrupt` if a piece is missing.
    func size(of value: StoredValue) throws(Fault) -> Int64 {
        switch value {
        case .bytes(let bytes): return Int64(bytes.count)
        case .pieces(let pieces, let length):
            var sequence = PieceSequence(length: length)
            let rows = try connection.statement(
                "SELECT number, length(data) FROM kv_pieces WHERE pieces = ? ORDER BY number")
            defer { rows.clear() }
            try rows.bind(integer: pieces, at: 1)
            while try rows.step() {
                try sequence.add(rows.integer(at: 0), count: Int(rows.integer(at: 1)))
            }
            try sequence.end()
            return sequence.total
        }
    }

    /// The numbers of the rows of `kv` whose values lack a piece.
    func incompleteValues() throws(Fault) -> [Int64] {
        let rows = try connection.prepare("SELECT id, value, pieces FROM kv WHERE pieces IS NOT NULL ORDER BY id")
        var incomplete: [Int64] = []
        while try rows.step() {
            let value = Self.value(rows, at: 1)
            do throws(Fault) {
                _ = try size(of: value)
            } catch {
                guard error == PieceSequence.missing else {
                    throw error
                }
                incomplete.append(rows.integer(at: 0))
            }
        }
        return incomplete
    }

    /// Reads one piece; nil if the value was replaced or removed, or has no such piece.
    func piece(_ number: Int, of pieces: Int64) throws(Fault) -> [UInt8]? {
        let rows = try connection.statement("SELECT data FROM kv_pieces WHERE pieces = ? AND number = ?")
        defer { rows.clear() }
        try rows.bind(integer: pieces, at: 1)
        try rows.bind(integer: Int64(number), at: 2)
        return try rows.step() ? rows.bytes(at: 0) : nil
    }

    /// Stores a value that is in one buffer, of at most `KeyValueTables.pieceSize` bytes.
    func store(_ value: UnsafeRawBufferPointer, for key: String, at now: Int64) throws(Fault) {
        try removePieces(of: key)
        let statement = try connection.statement(Self.upsert)
        defer { statement.clear() }
        try statement.bind(text: key, at: 1)
        try statement.bind(borrowedBlob: value, at: 2)
        try statement.bind(integer: now, at: 3)
        try statement.bindNull(at: 4)
        try statement.run()
    }

    /// Makes a value of the pieces that were stored under a number, and have `length` bytes in all.
    func store(pieces: Int64, length: Int, for key: String, at now: Int64) throws(Fault) {
        try removePieces(of: key)
        let statement = try connection.statement(Self.upsert)
        defer { statement.clear() }
        try statement.bind(text: key, at: 1)
        try statement.bind(integer: Int64(length), at: 2)
        try statement.bind(integer: now, at: 3)
        try statement.bind(integer: pieces, at: 4)
        try statement.run()
    }

    private static let upsert = """
        INSERT INTO kv (key, value, modified, pieces) VALUES (?, ?, ?, ?) \
        ON CONFLICT (key) DO UPDATE SET value = excluded.value, modified = excluded.modified, pieces = excluded.pieces
        """

    /// Stores one piece of a value.
    func store(piece: UnsafeRawBufferPointer, _ number: Int, of pieces: Int64) throws(Fault) {
        let statement = try connection.statement("INSERT INTO kv_pieces (pieces, number, data) VALUES (?, ?, ?)")
        defer { statement.clear() }
        try statement.bind(integer: pieces, at: 1)
        try statement.bind(integer: Int64(number), at: 2)
        try statement.bind(borrowedBlob: piece, at: 3)
        try statement.run()
    }

    /// Removes a key with its value; false if there is none.
    func removeValue(of key: String) throws(Fault) -> Bool {
        try removePieces(of: key)
        try connection.run("DELETE FROM kv WHERE key = ?", .text(key))
        return connection.changes > 0
    }

    private func removePieces(of key: String) throws(Fault) {
        try connection.run("DELETE FROM kv_pieces WHERE pieces = (SELECT pieces FROM kv WHERE key = ?)", .text(key))
    }
}
