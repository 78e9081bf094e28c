/// The state of a projection for the last document.
struct ProjectionState: ~Copyable {
    private var engine: ProjectionEngine
    private var document = UnsafeRawBufferPointer(start: nil, count: 0)
    private var arena = ByteArena()
    private var scratch: [UInt8] = []
    /// The offsets of the arrays that are being written: of the bracket, and of the content after it.
    private var begins: [(bracket: Int, content: Int)] = []

    init(_ paths: JSONPathSet) { engine = ProjectionEngine(paths) }

    mutating func read(
        _ document: UnsafeRawBufferPointer, _ options: JSONOptions, requiresObject: Bool
    ) throws(ScanFailure) {
        self.document = UnsafeRawBufferPointer(start: nil, count: 0)
        arena.removeAll()
        guard let base = document.bindMemory(to: UInt8.self).baseAddress else {
            throw ScanFailure(.emptyText, at: 0)
        }
        let limit = min(options.maximumLength, Int(Int32.max))
        guard document.count <= limit else {
            throw ScanFailure(.tooLong, at: limit)
        }
        var scanner = ByteScanner(base: base, count: document.count)
        try scanner.begin()
        if requiresObject, base[scanner.position] != 0x7B {
            throw ScanFailure(.expectedObject, at: scanner.position)
        }
        try engine.scan(&scanner, maximumDepth: options.maximumDepth)
        try scanner.finish()
        self.document = document
    }

    /// The document that was read last, unless that failed.
    var text: UnsafePointer<UInt8>? { document.bindMemory(to: UInt8.self).baseAddress }

    func value(_ path: Int) -> ProjectedValue {
        precondition(path >= 0 && path < engine.pathCount, "path index out of range")
        return document.baseAddress == nil ? ProjectedValue() : engine.values[path]
    }

    var runs: UnsafeBufferPointer<ProjectionEngine.Span> {
        UnsafeBufferPointer(start: engine.runs.base, count: engine.runs.count)
    }

    var escapedNames: UnsafeBufferPointer<ProjectionEngine.Span> {
        UnsafeBufferPointer(start: engine.escapedNames.base, count: engine.escapedNames.count)
    }

    // MARK: - Texts

    mutating func text(of path: Int) -> UnsafeRawBufferPointer? {
        let value = value(path)
        switch value.kind {
        case .missing, .null: return nil
        case .string where !value.isEscaped: return slice(value.token.start..<value.token.end)
        case .true, .false, .number: return slice(value.range)
        case .string, .object, .array, .collected: return madeText(path, value)
        }
    }

    mutating func json(of path: Int) -> UnsafeRawBufferPointer? {
        let value = value(path)
        switch value.kind {
        case .missing: return nil
        case .null, .true, .false, .number, .string: return slice(value.range)
        case .object, .array, .collected: return madeText(path, value)
        }
    }

    mutating func numeric(of path: Int) -> NumericValue {
        let value = value(path)
        switch value.kind {
        case .true: return .integer(1)
        case .false: return .integer(0)
        case .number: return NumericText.value(slice(value.range))
        case .string: return text(of: path).map(NumericText.valueIfNumber) ?? .null
        case .missing, .null, .object, .array, .collected: return .null
        }
    }

    private func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: document[range])
    }

    private mutating func madeText(_ path: Int, _ value: ProjectedValue) -> UnsafeRawBufferPointer? {
        if let known = value.madeText {
            return UnsafeRawBufferPointer(start: known, count: value.madeCount)
        }
        guard let base = text else { return nil }
        scratch.removeAll(keepingCapacity: true)
        switch value.kind {
        case .string: StringDecoding.append(base, from: value.token.start, to: value.token.end, into: &scratch)
        case .collected: appendCollected(base, from: value.firstPart)
        default: CompactWriter.append(base, from: value.start, to: value.end, into: &scratch)
        }
        let made = arena.keep(scratch)
        engine.values.base[path].madeText = made.baseAddress
        engine.values.base[path].madeCount = made.count
        return made
    }

    /// Writes the parts of a collected array; removes arrays that stay empty.
    private mutating func appendCollected(_ base: UnsafePointer<UInt8>, from first: Int32) {
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
            if let array = begins.last, start > array.content {
                scratch.append(0x2C)
            }
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
