/// Builds a tree from the events of the walker. Finished values are kept on a stack until their container ends.
struct ValueBuilder: ~Copyable, GrammarVisitor {
    struct Container {
        let firstValue: Int
        let firstName: Int
    }

    private let source: UnsafePointer<UInt8>
    private let refusesDuplicateNames: Bool
    private var tracker = NameTracker()
    private var values: [JSONValue] = []
    private var names: [String] = []
    private var open: [Container] = []

    init(_ source: UnsafePointer<UInt8>, refusesDuplicateNames: Bool) {
        self.source = source
        self.refusesDuplicateNames = refusesDuplicateNames
    }

    /// The finished value.
    var result: JSONValue { values.first ?? .null }

    mutating func name(_ token: StringToken, in scanner: ByteScanner, previousEnd: Int) throws(ScanFailure) {
        if refusesDuplicateNames {
            try tracker.insert(token, in: scanner)
        }
        names.append(StringDecoding.string(source, token))
    }

    mutating func string(_ token: StringToken, in scanner: ByteScanner) {
        values.append(.string(StringDecoding.string(source, token)))
    }

    mutating func number(from start: Int, to end: Int, isInteger: Bool) {
        let text = UnsafeBufferPointer(start: source + start, count: end - start)
        values.append(.number(JSONNumber(validated: String(decoding: text, as: UTF8.self))))
    }

    mutating func word(_ word: JSONWord, from start: Int) {
        values.append(word == .null ? .null : .bool(word == .true))
    }

    mutating func beginObject(at start: Int) {
        if refusesDuplicateNames {
            tracker.beginObject()
        }
        beginArray(at: start)
    }

    mutating func endObject(at end: Int, previousEnd: Int) {
        if refusesDuplicateNames {
            tracker.endObject()
        }
        guard let container = open.popLast() else { return }
        let object = JSONObject(Array(zip(names[container.firstName...], values[container.firstValue...])))
        names.removeSubrange(container.firstName...)
        values.removeSubrange(container.firstValue...)
        values.append(.object(object))
    }

    mutating func beginArray(at start: Int) { open.append(Container(firstValue: values.count, firstName: names.count)) }

    mutating func endArray(at end: Int) {
        guard let container = open.popLast() else { return }
        let elements = Array(values[container.firstValue...])
        values.removeSubrange(container.firstValue...)
        values.append(.array(elements))
    }
}
