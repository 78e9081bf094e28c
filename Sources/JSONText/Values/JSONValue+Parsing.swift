extension JSONValue {
    /// Parses a JSON text with one value (RFC 8259, UTF-8); white space around it is allowed.
    ///
    /// O(n) in the number of bytes. Does not recurse.
    ///
    /// - Throws: an error with the offset of the byte that is wrong, or where a limit of the options is exceeded.
    public init(parsing bytes: UnsafeRawBufferPointer, options: JSONOptions = .default) throws(JSONError) {
        do throws(ScanFailure) {
            guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else {
                throw ScanFailure(.emptyText, at: 0)
            }
            guard bytes.count <= options.maximumLength else {
                throw ScanFailure(.tooLong, at: options.maximumLength)
            }
            var scanner = ByteScanner(base: base, count: bytes.count)
            var builder = ValueBuilder(base, refusesDuplicateNames: options.refusesDuplicateNames)
            try scanner.begin()
            try GrammarWalker.walk(&scanner, &builder, maximumDepth: options.maximumDepth)
            try scanner.finish()
            self = builder.result
        } catch {
            throw JSONError(error)
        }
    }

    /// Parses a JSON text with one value, and throws as the form with a buffer.
    public init(parsing bytes: [UInt8], options: JSONOptions = .default) throws(JSONError) {
        self = try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) in
            try JSONValue(parsing: UnsafeRawBufferPointer(buffer), options: options)
        }
    }

    /// Parses a JSON text with one value. Offsets in errors count UTF-8 bytes.
    public init(parsing text: String, options: JSONOptions = .default) throws(JSONError) {
        var text = text
        let result = text.withUTF8 { buffer in
            Result { () throws(JSONError) -> JSONValue in
                try JSONValue(parsing: UnsafeRawBufferPointer(buffer), options: options)
            }
        }
        self = try result.get()
    }
}
