/// Reads the elements of a JSON array one after the other, as checked byte ranges.
public struct JSONArrayElements {
    private var scanner: ByteScanner
    private let maximumDepth: Int
    private let refusesDuplicateNames: Bool
    private var isAtStart = true
    private var isFinished = false

    /// Creates a reader of the text of an array. The bytes must stay valid until the last element was read.
    ///
    /// - Throws: an error with its offset if the text is too long or does not begin with an array.
    public init(_ text: UnsafeRawBufferPointer, options: JSONOptions = .default) throws(JSONError) {
        do throws(ScanFailure) {
            guard let base = text.bindMemory(to: UInt8.self).baseAddress else {
                throw ScanFailure(.emptyText, at: 0)
            }
            guard text.count <= options.maximumLength else {
                throw ScanFailure(.tooLong, at: options.maximumLength)
            }
            scanner = ByteScanner(base: base, count: text.count)
            maximumDepth = options.maximumDepth
            refusesDuplicateNames = options.refusesDuplicateNames
            try scanner.begin()
            guard base[scanner.position] == 0x5B else {
                throw ScanFailure(.expectedArray, at: scanner.position)
            }
            scanner.position += 1
        } catch {
            throw JSONError(error)
        }
    }

    /// Returns the range of the next element; `nil` after the last one. The depth limit counts from the element.
    /// O(n) in the length of the element.
    ///
    /// - Throws: an error with its offset if the element, or what follows it, is not valid JSON.
    public mutating func next() throws(JSONError) -> Range<Int>? {
        do throws(ScanFailure) { return try advance() } catch {
            isFinished = true
            throw JSONError(error)
        }
    }

    private mutating func advance() throws(ScanFailure) -> Range<Int>? {
        if isFinished {
            return nil
        }
        var byte = try scanner.nextByte()
        if byte == 0x5D {
            scanner.position += 1
            try scanner.finish()
            isFinished = true
            return nil
        }
        if !isAtStart {
            guard byte == 0x2C else {
                throw ScanFailure(.expectedCommaOrEnd, at: scanner.position)
            }
            scanner.position += 1
            byte = try scanner.nextByte()
        }
        isAtStart = false
        let start = scanner.position
        var checker = GrammarChecker(refusesDuplicateNames: refusesDuplicateNames)
        try GrammarWalker.walk(&scanner, &checker, maximumDepth: maximumDepth)
        return start..<scanner.position
    }
}
