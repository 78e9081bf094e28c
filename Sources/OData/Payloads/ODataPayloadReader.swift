public import Soups

/// Reads a payload while its bytes arrive: Atom or JSON of any version, packed by gzip or not.
///
///     var reader = ODataPayloadReader(options: options)
///     try reader.append(bytes)          // as often as bytes come
///     while case .entry(let entry) = try reader.next() { ... }
///     reader.finish()                   // then `next` until `.end`
///
/// The entries of the outermost feed come one by one; a feed is whole only when `.end` has come, and a body that ends
/// early is `truncated` instead. Memory: the largest entry, not the body; an entry that is dropped before the next one
/// is asked for gives its memory to that. Entries that are kept are values of their own, also on other threads. Time:
/// O(bytes). Faults: `invalidXML`, `doctypeForbidden`, `invalidJSON`, `invalidLiteral`, `typeMismatch`,
/// `unknownProperty`, `truncated`, `limitExceeded`, with the offset into the unpacked body. Not for use by two threads
/// at once. Nothing reaches disk.
public struct ODataPayloadReader: ~Copyable {
    private let options: PayloadOptions
    private var atom: AtomReader?
    private var json: JSONPayloadReader?
    private var inflater: Inflater?
    /// The first bytes, until they tell the format.
    private var head: [UInt8] = []
    private var isFinished = false
    private var isDecided = false

    public init(options: PayloadOptions) { self.options = options }

    /// Takes more bytes of the body.
    public mutating func append(_ bytes: [UInt8]) throws(Fault) {
        var failure: Fault?
        bytes.withUnsafeBytes { buffer in
            do throws(Fault) { try append(buffer) } catch { failure = error }
        }
        if let failure {
            throw failure
        }
    }

    /// Takes more bytes of the body, which are copied or read before it returns.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) throws(Fault) {
        guard !bytes.isEmpty else { return }
        if inflater == nil, !isDecided, head.count < 2 {
            head.append(contentsOf: bytes)
            guard head.count >= 2 else { return }
            let first = head
            head = []
            if Inflater.isGzip(first) {
                inflater = Inflater(limits: options.limits)
            }
            return try pass(first)
        }
        try pass(bytes)
    }

    private mutating func pass(_ bytes: [UInt8]) throws(Fault) {
        var failure: Fault?
        bytes.withUnsafeBytes { buffer in
            do throws(Fault) { try pass(buffer) } catch { failure = error }
        }
        if let failure {
            throw failure
        }
    }

    private mutating func pass(_ bytes: UnsafeRawBufferPointer) throws(Fault) {
        guard inflater != nil else {
            return try give(bytes)
        }
        // Taken out while it runs: what it hands over goes to the other parts of this reader.
        var pieces: [UInt8] = []
        try inflater?.append(bytes) { pieces.append(contentsOf: $0) }
        var failure: Fault?
        pieces.withUnsafeBytes { buffer in
            do throws(Fault) { try give(buffer) } catch { failure = error }
        }
        if let failure {
            throw failure
        }
    }

    private mutating func give(_ bytes: UnsafeRawBufferPointer) throws(Fault) {
        guard isDecided else {
            head.append(contentsOf: bytes)
            return try decide()
        }
        if json != nil {
            return try json?.append(bytes) ?? ()
        }
        atom?.append(bytes)
    }

    /// Says that no more bytes will come.
    public mutating func finish() throws(Fault) {
        isFinished = true
        if inflater == nil, !head.isEmpty, !isDecided {
            try decide()
        }
        try inflater?.finish()
        if !isDecided {
            guard !head.isEmpty else {
                throw Fault(.truncated, "the body is empty", offset: 0)
            }
            try decide()
        }
        atom?.finish()
        json?.finish()
    }

    /// Reads the next entry, or the end.
    public mutating func next() throws(Fault) -> PayloadStep {
        if json != nil {
            return try json?.next() ?? .needsInput
        }
        return try atom?.next() ?? .needsInput
    }

    /// Tells XML from JSON: by the Content-Type, else by the first byte that is no white space.
    private mutating func decide() throws(Fault) {
        var isXML: Bool?
        if let type = options.contentType, type.isXML || type.isJSON {
            isXML = type.isXML
        }
        if isXML == nil {
            var rest = head[...]
            if rest.starts(with: [0xEF, 0xBB, 0xBF]) {
                rest = rest.dropFirst(3)
            }
            guard let first = rest.first(where: { $0 > 0x20 }) else {
                guard isFinished else { return }
                throw Fault(.truncated, "the body is empty", offset: head.count)
            }
            isXML = first == UInt8(ascii: "<") || first >= 0xFE
        }
        isDecided = true
        let bytes = head
        head = []
        if isXML == true {
            atom = AtomReader(options: options)
        } else {
            json = JSONPayloadReader(options: options)
        }
        try pass(decided: bytes)
    }

    private mutating func pass(decided bytes: [UInt8]) throws(Fault) {
        var failure: Fault?
        bytes.withUnsafeBytes { buffer in
            do throws(Fault) { try give(buffer) } catch { failure = error }
        }
        if let failure {
            throw failure
        }
    }
}

extension ODataPayload {
    /// Reads a whole body. O(bytes); the faults are those of `ODataPayloadReader`.
    public init(reading bytes: [UInt8], options: PayloadOptions) throws(Fault) {
        var reader = ODataPayloadReader(options: options)
        var entries: [ODataEntry] = []
        var place = 0
        var isFinished = false
        while true {
            switch try reader.next() {
            case .entry(let entry): entries.append(entry)
            case .needsInput:
                if place < bytes.count {
                    let end = min(bytes.count, place + 256 << 10)
                    var failure: Fault?
                    bytes[place..<end].withUnsafeBytes { buffer in
                        do throws(Fault) { try reader.append(buffer) } catch { failure = error }
                    }
                    if let failure {
                        throw failure
                    }
                    place = end
                } else {
                    guard !isFinished else {
                        throw Fault(.truncated, "unexpected end of the body", offset: bytes.count)
                    }
                    isFinished = true
                    try reader.finish()
                }
            case .end(.feed(var feed)):
                feed.entries = entries
                self = .feed(feed)
                return
            case .end(let payload):
                self = payload
                return
            }
        }
    }
}
