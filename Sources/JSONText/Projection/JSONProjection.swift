/// Reads a document once: checks it and finds the values at a set of paths.
///
/// Reuse one for many documents: it keeps its memory, and reading then allocates nothing. The document's bytes must stay where they are until
/// the last value has been asked for. Not for use by two threads at once.
///
/// Paths through arrays collect: the rest of the path is applied to each element, results that are null or missing are dropped, arrays within
/// arrays stay arrays, and where nothing remains the value is `missing` (SmartStore, "Using Arrays in Index Paths").
public final class JSONProjection {
    private var engine: ProjectionEngine
    private let options: JSONOptions
    private var document: UnsafeRawBufferPointer
    private var arena = ByteArena()
    private var scratch: [UInt8] = []
    /// Where the arrays being written begin, and where the bytes after their brackets do.
    private var begins: [(bracket: Int, content: Int)] = []

    /// Takes compiled paths. With `options.refusesDuplicateNames` (not set by default) two members of one decoded name are an error on every level.
    public init(paths: JSONPathSet, options: JSONOptions = .default) {
        engine = ProjectionEngine(paths, refusesDuplicateNames: options.refusesDuplicateNames)
        self.options = options
        document = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Checks the document and finds the values. Linear in its bytes.
    ///
    /// After an error there are no values until the next document.
    public func read(_ document: UnsafeRawBufferPointer) throws(JSONError) { try read(document, requiresObject: false) }

    func read(_ document: UnsafeRawBufferPointer, requiresObject: Bool) throws(JSONError) {
        self.document = UnsafeRawBufferPointer(start: nil, count: 0)
        arena.removeAll()
        do throws(ScanFailure) {
            guard let base = document.bindMemory(to: UInt8.self).baseAddress else { throw ScanFailure(.emptyText, at: 0) }
            guard document.count <= min(options.maximumLength, Int(Int32.max)) else { throw ScanFailure(.tooLong, at: options.maximumLength) }
            var scanner = ByteScanner(base: base, count: document.count)
            try scanner.begin()
            if requiresObject, base[scanner.position] != 0x7B { throw ScanFailure(.expectedObject, at: scanner.position) }
            try engine.scan(&scanner, maximumDepth: options.maximumDepth)
            try scanner.finish()
        } catch {
            throw JSONError(error)
        }
        self.document = document
    }

    /// What the path of that place leads to.
    public func value(_ path: Int) -> ProjectedValue { isLoaded ? engine.values[checked(path)] : ProjectedValue() }

    /// The text that an index of strings holds: a string decoded, a number as written, `true` or `false`, an object or array (also a collected
    /// one) as compact JSON; nil for null and missing.
    ///
    /// The bytes are part of the document or made once for the path; they stay where they are until the next document is read,
    /// as long as this object lives.
    public func text(of path: Int) -> UnsafeRawBufferPointer? {
        let value = value(path)
        switch value.kind {
        case .missing, .null: return nil
        case .string where !value.isEscaped: return slice(value.token.start..<value.token.end)
        case .true, .false, .number: return slice(value.range)
        case .string, .object, .array, .collected: return madeText(path, value)
        }
    }

    /// The value as compact JSON text, a string with its quotes as it is written; nil where it is missing. Valid as `text(of:)` is.
    public func json(of path: Int) -> UnsafeRawBufferPointer? {
        let value = value(path)
        switch value.kind {
        case .missing: return nil
        case .null, .true, .false, .number, .string: return slice(value.range)
        case .object, .array, .collected: return madeText(path, value)
        }
    }

    /// The number that an index of numbers holds.
    public func numeric(of path: Int) -> NumericValue {
        let value = value(path)
        switch value.kind {
        case .true: return .integer(1)
        case .false: return .integer(0)
        case .number: return NumericText.value(slice(value.range))
        case .string: return text(of: path).map(NumericText.valueIfNumber) ?? .null
        case .missing, .null, .object, .array, .collected: return .null
        }
    }

    // MARK: - For the entry scanner

    var isLoaded: Bool { document.baseAddress != nil }

    var loadedDocument: UnsafePointer<UInt8>? { document.bindMemory(to: UInt8.self).baseAddress }

    func systemValue(_ index: Int, after paths: Int) -> ProjectedValue { isLoaded ? engine.values[paths + index] : ProjectedValue() }

    var runCount: Int { engine.runs.count }
    func run(_ index: Int) -> Range<Int> { engine.runs[index].start..<engine.runs[index].end }
    var escapedNameCount: Int { engine.escapedNames.count }
    func escapedName(_ index: Int) -> Range<Int> { engine.escapedNames[index].start..<engine.escapedNames[index].end }

    // MARK: - Texts

    private func checked(_ path: Int) -> Int {
        precondition(path >= 0 && path < engine.pathCount, "ask for a path by its place in the list of the path set")
        return path
    }

    private func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: document[range]) }

    private func madeText(_ path: Int, _ value: ProjectedValue) -> UnsafeRawBufferPointer? {
        if let known = value.madeText { return UnsafeRawBufferPointer(start: known, count: value.madeCount) }
        guard let base = loadedDocument else { return nil }
        scratch.removeAll(keepingCapacity: true)
        switch value.kind {
        case .string: StringDecoding.append(base, from: value.token.start, to: value.token.end, into: &scratch)
        case .collected: appendCollected(base, from: value.firstPart)
        default: CompactWriter.append(base, from: value.start, to: value.end, into: &scratch)
        }
        let text = arena.keep(scratch)
        engine.values.base[path].madeText = text.baseAddress
        engine.values.base[path].madeCount = text.count
        return text
    }

    /// Writes the parts of a collected array; an array that stays empty leaves nothing behind.
    private func appendCollected(_ base: UnsafePointer<UInt8>, from first: Int32) {
        begins.removeAll(keepingCapacity: true)
        var index = first
        while index >= 0 {
            let part = engine.parts[Int(index)]
            index = part.next
            if part.kind == .end {
                if let array = begins.popLast() {
                    if scratch.count == array.content {
                        scratch.removeSubrange(array.bracket...)
                    } else {
                        scratch.append(0x5D)
                    }
                }
                continue
            }
            let start = scratch.count
            if let array = begins.last, start > array.content { scratch.append(0x2C) }
            switch part.kind {
            case .begin:
                scratch.append(0x5B)
                begins.append((start, scratch.count))
            case .value:
                scratch.append(contentsOf: UnsafeBufferPointer(start: base + part.start, count: part.end - part.start))
            case .escapedValue:
                StringEscaping.appendRespelled(base, from: part.start + 1, to: part.end - 1, into: &scratch)
            case .container, .end:
                CompactWriter.append(base, from: part.start, to: part.end, into: &scratch)
            }
        }
    }
}
