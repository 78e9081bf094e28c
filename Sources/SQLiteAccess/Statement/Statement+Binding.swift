import CSQLite
public import Soups

extension Statement {
    /// Binds a copy of a value to a parameter; parameters count from 1.
    public func bind(_ value: SQLValue, at index: Int) throws(Fault) {
        switch value {
        case .null: try bindNull(at: index)
        case .integer(let integer): try bind(integer: integer, at: index)
        case .real(let real): try bind(real: real, at: index)
        case .text(let bytes): try bind(text: bytes, at: index)
        case .blob(let bytes):
            try check(
                bytes.withUnsafeBytes {
                    sq_bind_blob_copy(table, pointer, Int32(clamping: index), $0.baseAddress, UInt64($0.count))
                })
        }
    }

    /// Binds NULL.
    public func bindNull(at index: Int) throws(Fault) {
        try check(sq_bind_null(table, pointer, Int32(clamping: index)))
    }

    /// Binds an integer of 64 bits.
    public func bind(integer: Int64, at index: Int) throws(Fault) {
        try check(sq_bind_int64(table, pointer, Int32(clamping: index), integer))
    }

    /// Binds a floating-point number; SQLite makes NULL of NaN.
    public func bind(real: Double, at index: Int) throws(Fault) {
        try check(sq_bind_double(table, pointer, Int32(clamping: index), real))
    }

    /// Binds a copy of UTF-8 text.
    public func bind(text: UnsafeRawBufferPointer, at index: Int) throws(Fault) {
        try check(sq_bind_text_copy(table, pointer, Int32(clamping: index), text.baseAddress, UInt64(text.count)))
    }

    /// Binds a copy of UTF-8 text without checking it.
    public func bind(text: [UInt8], at index: Int) throws(Fault) {
        try check(
            text.withUnsafeBytes {
                sq_bind_text_copy(table, pointer, Int32(clamping: index), $0.baseAddress, UInt64($0.count))
            })
    }

    /// Binds UTF-8 text without a copy: the memory must not change until the statement is bound to another value or
    /// cleared.
    public func bind(borrowedText text: UnsafeRawBufferPointer, at index: Int) throws(Fault) {
        try check(sq_bind_text_static(table, pointer, Int32(clamping: index), text.baseAddress, UInt64(text.count)))
    }

    /// Binds a copy of a string.
    public func bind(text: String, at index: Int) throws(Fault) {
        var text = text
        let result = text.withUTF8 {
            sq_bind_text_copy(table, pointer, Int32(clamping: index), $0.baseAddress, UInt64($0.count))
        }
        try check(result)
    }

    /// Binds a copy of bytes as a blob.
    public func bind(blob: UnsafeRawBufferPointer, at index: Int) throws(Fault) {
        try check(sq_bind_blob_copy(table, pointer, Int32(clamping: index), blob.baseAddress, UInt64(blob.count)))
    }

    /// Binds bytes as a blob without a copy: the memory must not change until the statement is bound to another value
    /// or cleared.
    public func bind(borrowedBlob blob: UnsafeRawBufferPointer, at index: Int) throws(Fault) {
        try check(sq_bind_blob_static(table, pointer, Int32(clamping: index), blob.baseAddress, UInt64(blob.count)))
    }

    /// Returns the name of a parameter with its first character (`:a`, `@a`, `$a`, `?7`); nil for a plain `?`.
    public func parameterName(at index: Int) -> String? {
        guard let pointer, let name = sq_bind_parameter_name(table, pointer, Int32(clamping: index)) else {
            return nil
        }
        return String(cString: name)
    }

    private func check(_ result: Int32) throws(Fault) {
        guard result != SQ_OK else { return }
        if pointer == nil {
            throw Fault(.closed, "the connection of this statement is closed")
        }
        throw Fault.sqlite(result, handle, doing: "binding a value", mayQuoteValues: true)
    }
}
