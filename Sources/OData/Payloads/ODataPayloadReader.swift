public import Soups

/// Reads a payload while its bytes arrive: Atom or JSON of any version, optionally compressed by gzip.
///
/// ```swift
/// var reader = ODataPayloadReader(options: PayloadOptions(version: .v4))
/// var items: [ODataEntry] = []
/// var next: URLReference?
/// var isAtEnd = false
/// while !isAtEnd {
///     switch try reader.next() {
///     case .entry(let entry):
///         items.append(entry)
///     case .link:
///         break  // Only a delta has links.
///     case .needsInput:
///         if let chunk = chunks.next() {
///             try reader.append(chunk)
///         } else {
///             try reader.finish()
///         }
///     case .end(let payload):
///         if case .feed(let feed) = payload {
///             next = feed.nextLink
///         }
///         isAtEnd = true
///     }
/// }
/// ```
///
/// The entries of the outermost feed are returned one by one. A feed is complete only after `.end`; a body that ends
/// early throws `truncated`. JSON in another charset than UTF-8 is kept until its end. The reader needs memory for the
/// largest entry, not for the whole body, and reuses the memory of an entry that was not kept. Entries that are kept
/// are independent values and may be used on other threads. Time is O(n) in the number of bytes. Text, other bytes and
/// multipart batches are kept until their end.
///
/// Throws `unsupported` for metadata as JSON, for an unknown charset of JSON, and for a null among complex values,
/// which are returned as entries; `syntax` for a malformed batch, `invalidXML`, `doctypeForbidden`, `invalidJSON`,
/// `invalidLiteral`, `typeMismatch`, `unknownProperty`, `invalidCompression`, `truncated` or `limitExceeded`, with the
/// offset in the decompressed body. A reader must not be used by two threads at the same time. Nothing is written to
/// disk.
public struct ODataPayloadReader: ~Copyable {
    private var options: PayloadOptions
    private var atom: AtomReader?
    private var json: JSONPayloadReader?
    private var collector: BodyCollector?
    private var inflater: Inflater?
    /// A JSON body that is not UTF-8.
    private var decoded: DecodedBody?
    /// The first bytes of the body, until the format is known.
    private var head: [UInt8] = []
    private var isFinished = false
    private var isDecided = false

    /// Creates a reader for one body.
    public init(options: PayloadOptions) { self.options = options }

    /// Appends bytes of the body.
    ///
    /// - Throws: the faults of a body that is wrong so far, as ``ODataPayloadReader`` lists them.
    public mutating func append(_ bytes: [UInt8]) throws(Fault) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(Fault) in try append(UnsafeRawBufferPointer(buffer)) }
    }

    /// Appends bytes of the body. They are copied or read before the method returns.
    ///
    /// - Throws: as the form for an array.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) throws(Fault) {
        guard !bytes.isEmpty else { return }
        guard inflater == nil, !isDecided, head.count < 2 else {
            return try unpack(bytes)
        }
        // Two bytes say whether the body is compressed.
        head.append(contentsOf: bytes)
        guard head.count >= 2 else { return }
        let first = head
        head = []
        if Inflater.isGzip(first) {
            inflater = Inflater(limits: options.limits)
        }
        try first.withUnsafeBufferPointer { (buffer) throws(Fault) in try unpack(UnsafeRawBufferPointer(buffer)) }
    }

    private mutating func unpack(_ bytes: UnsafeRawBufferPointer) throws(Fault) {
        guard inflater != nil else {
            return try read(bytes)
        }
        // The output is collected first, because the closure cannot access `self` while the inflater, a part of it, is
        // running.
        var pieces: [UInt8] = []
        try inflater?.append(bytes) { pieces.append(contentsOf: $0) }
        try pieces.withUnsafeBufferPointer { (buffer) throws(Fault) in try read(UnsafeRawBufferPointer(buffer)) }
    }

    /// Hands bytes to the reader of the format, once that is known.
    private mutating func read(_ bytes: UnsafeRawBufferPointer) throws(Fault) {
        guard isDecided else {
            head.append(contentsOf: bytes)
            return try decide()
        }
        if decoded != nil {
            return try decoded?.append(bytes) ?? ()
        }
        if json != nil {
            return try json?.append(bytes) ?? ()
        }
        if collector != nil {
            return try collector?.append(bytes) ?? ()
        }
        atom?.append(bytes)
    }

    /// Marks the end of the body. Throws `truncated` if a compressed body is incomplete.
    public mutating func finish() throws(Fault) {
        isFinished = true
        if inflater == nil, !head.isEmpty, !isDecided {
            try decide()
        }
        try inflater?.finish()
        if !isDecided {
            guard !head.isEmpty || options.contentType.map(BodyFormat.init) == .raw else {
                throw Fault(.truncated, "the body is empty", offset: 0)
            }
            try decide()
        }
        atom?.finish()
        if let text = try decoded?.finish() {
            try text.withUnsafeBufferPointer { (buffer) throws(Fault) in
                try json?.append(UnsafeRawBufferPointer(buffer)) ?? ()
            }
        }
        json?.finish()
        collector?.finish()
    }

    /// Reads the next entry or the end of the body, or asks for more bytes.
    ///
    /// - Throws: the faults that ``ODataPayloadReader`` lists.
    public mutating func next() throws(Fault) -> PayloadStep {
        if json != nil {
            return try nextOfJSON()
        }
        if let collector {
            return try collector.next()
        }
        return try atom?.next() ?? .needsInput
    }

    private mutating func nextOfJSON() throws(Fault) -> PayloadStep {
        do throws(Fault) {
            return try json?.next() ?? .needsInput
        } catch {
            throw decoded?.located(error) ?? error
        }
    }

    /// Whether a collection of values failed to be read item by item, because one of them is null.
    fileprivate var metNull: Bool {
        switch json {
        case .some(let json): json.metNull
        case nil: false
        }
    }

    /// Decides how the body is read: by the Content-Type, otherwise by the first byte that is not white space.
    private mutating func decide() throws(Fault) {
        // Two bytes tell the encoding of JSON.
        guard isFinished || head.count >= (options.version == nil ? PayloadVersion.headLength : 2) else { return }
        var format = options.contentType.flatMap(BodyFormat.init)
        if format == nil {
            format = try BodyFormat(head: head, isWhole: isFinished, isTyped: options.contentType != nil)
        }
        guard let format else { return }
        if !options.acceptsUndeclared {
            try options.model?.requireType(options.entityType)
        }
        isDecided = true
        if options.version == nil {
            let isVerbose = options.contentType?.isVerboseJSON == true
            options.version = isVerbose ? .v2 : PayloadVersion.guess(Array(head.prefix(PayloadVersion.headLength)))
        }
        let bytes = head
        head = []
        switch format {
        case .xml: atom = AtomReader(options: options)
        case .json:
            json = JSONPayloadReader(options: options)
            let charset = options.isDecodedText ? nil : options.contentType?["charset"].flatMap(JSONCharset.name)
            if !options.isDecodedText, JSONCharset.isOther(bytes, named: charset) {
                decoded = DecodedBody(named: charset, limit: options.limits.totalBytes)
            }
        case .multipart, .raw: collector = BodyCollector(format, options)
        case .message: throw UnsupportedBody.message.fault
        }
        try bytes.withUnsafeBufferPointer { (buffer) throws(Fault) in try read(UnsafeRawBufferPointer(buffer)) }
    }
}

extension ODataPayload {
    /// Reads a complete body. O(n) in the number of bytes. Throws the same faults as `ODataPayloadReader`. A compressed
    /// body is checked to its end before a fault of its content is thrown, because the damage may be its cause.
    public init(reading bytes: [UInt8], options: PayloadOptions) throws(Fault) {
        do throws(Fault) {
            self = try Self.readAgainAfterNull(bytes, options: options)
        } catch {
            if Inflater.isGzip(bytes) {
                try Inflater.check(bytes, limits: options.limits)
            }
            throw error
        }
    }

    /// Reads a body, once more as a whole if it turns out to be a collection of values with a null among them. Objects
    /// before the null look like entities.
    private static func readAgainAfterNull(_ bytes: [UInt8], options: PayloadOptions) throws(Fault) -> ODataPayload {
        var reader = ODataPayloadReader(options: options)
        do throws(Fault) {
            return try read(bytes, with: &reader)
        } catch {
            guard reader.metNull else {
                throw error
            }
            var options = options
            options.readsCollectionsWhole = true
            var reader = ODataPayloadReader(options: options)
            return try read(bytes, with: &reader)
        }
    }

    private static func read(
        _ bytes: [UInt8], with reader: inout ODataPayloadReader
    ) throws(Fault) -> ODataPayload {
        var collected = ODataFeed()
        var offset = 0
        var isFinished = false
        while true {
            switch try reader.next() {
            case .entry(let entry): collected.entries.append(entry)
            case .link(let link): collected.append(link)
            case .needsInput:
                if offset < bytes.count {
                    let end = min(bytes.count, offset + 256 << 10)
                    try bytes[offset..<end].withUnsafeBufferPointer { (buffer) throws(Fault) in
                        try reader.append(UnsafeRawBufferPointer(buffer))
                    }
                    offset = end
                } else {
                    guard !isFinished else {
                        throw Fault(.truncated, "unexpected end of the body", offset: bytes.count)
                    }
                    isFinished = true
                    try reader.finish()
                }
            case .end(.feed(var feed)):
                feed.takeChanges(of: collected)
                return .feed(feed)
            case .end(let payload): return payload
            }
        }
    }
}
