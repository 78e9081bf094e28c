/// Builds a tree without recursion: finished values wait on one stack until their container ends and takes them.
struct ValueBuilder {
    private struct Container {
        let isObject: Bool
        let firstValue: Int
        let firstName: Int
    }

    private var scanner: ByteScanner
    private let options: JSONOptions
    private var values: [JSONValue] = []
    private var names: [String] = []
    private var nameOffsets: [Int] = []
    private var open: [Container] = []

    init(scanner: ByteScanner, options: JSONOptions) {
        self.scanner = scanner
        self.options = options
    }

    mutating func build() throws(ScanFailure) -> JSONValue {
        try scanner.begin()
        repeat {
            // At the start of a value.
            if try !beginContainer() { try scalar() }
            while let container = open.last, values.count > container.firstValue {
                let byte = try scanner.nextByte()
                if byte == 0x2C {
                    scanner.position += 1
                    if container.isObject { try name() }
                    break
                }
                guard byte == (container.isObject ? 0x7D : 0x5D) else { throw ScanFailure(.expectedCommaOrEnd, at: scanner.position) }
                scanner.position += 1
                try endContainer()
            }
        } while !open.isEmpty
        try scanner.finish()
        return values[0]
    }

    /// Opens an object or array if one starts here; an empty one becomes a value at once.
    private mutating func beginContainer() throws(ScanFailure) -> Bool {
        let byte = try scanner.nextByte()
        guard byte == 0x7B || byte == 0x5B else { return false }
        guard open.count < options.maximumDepth else { throw ScanFailure(.tooDeep, at: scanner.position) }
        let isObject = byte == 0x7B
        scanner.position += 1
        if try scanner.nextByte() == (isObject ? 0x7D : 0x5D) {
            scanner.position += 1
            values.append(isObject ? .object(JSONObject()) : .array([]))
            return true
        }
        open.append(Container(isObject: isObject, firstValue: values.count, firstName: names.count))
        if isObject { try name() }
        return true
    }

    private mutating func name() throws(ScanFailure) {
        guard try scanner.nextByte() == 0x22 else { throw ScanFailure(.expectedName, at: scanner.position) }
        let start = scanner.position
        let name = StringDecoding.string(scanner.base, try scanner.scanString())
        names.append(name)
        nameOffsets.append(start)
        guard try scanner.nextByte() == 0x3A else { throw ScanFailure(.expectedColon, at: scanner.position) }
        scanner.position += 1
    }

    private mutating func scalar() throws(ScanFailure) {
        let start = scanner.position
        switch try scanner.nextByte() {
        case 0x22:
            values.append(.string(StringDecoding.string(scanner.base, try scanner.scanString())))
        case 0x74:
            try scanner.scanTrue()
            values.append(.bool(true))
        case 0x66:
            try scanner.scanFalse()
            values.append(.bool(false))
        case 0x6E:
            try scanner.scanNull()
            values.append(.null)
        case 0x2D, 0x30...0x39:
            _ = try scanner.scanNumber()
            let text = UnsafeBufferPointer(start: scanner.base + start, count: scanner.position - start)
            values.append(.number(JSONNumber(validated: String(decoding: text, as: UTF8.self))))
        default:
            throw ScanFailure(.expectedValue, at: scanner.position)
        }
    }

    private mutating func endContainer() throws(ScanFailure) {
        guard let container = open.popLast() else { return }
        let elements = values[container.firstValue...]
        let value: JSONValue
        if container.isObject {
            if options.refusesDuplicateNames { try refuseDuplicates(from: container.firstName) }
            value = .object(JSONObject(Array(zip(names[container.firstName...], elements))))
            names.removeSubrange(container.firstName...)
            nameOffsets.removeSubrange(container.firstName...)
        } else {
            value = .array(Array(elements))
        }
        values.removeSubrange(container.firstValue...)
        values.append(value)
    }

    /// Sorting finds equal names in n log n, however many members a text piles up.
    private func refuseDuplicates(from first: Int) throws(ScanFailure) {
        let order = (first..<names.count).sorted { names[$0].utf8.lexicographicallyPrecedes(names[$1].utf8) }
        var duplicate: Int?
        for (one, next) in zip(order, order.dropFirst()) where JSONObject.same(names[one], names[next]) {
            duplicate = min(duplicate ?? .max, max(nameOffsets[one], nameOffsets[next]))
        }
        if let duplicate { throw ScanFailure(.duplicateName, at: duplicate) }
    }
}
