/// Holds the part of a document that is not read yet, as UTF-8, followed by 64 zero bytes: so scanning loops need no
/// test of bounds, they stop at a zero.
///
/// The memory is the window's own and freed with it. It grows only while one token is larger than it; it is used again
/// for each piece that arrives. Plain memory instead of an array, because every scan reads 16 bytes at once and past
/// the end of the text.
struct InputWindow: ~Copyable {
    static let padding = 64
    /// Room for the text of one character reference, in front of the window.
    private static let front = 16

    /// The memory begins with the room for references; the window stands behind it.
    private var memory: UnsafeMutablePointer<UInt8> { bytes - Self.front }
    private(set) var bytes: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// The next byte to read, and one past the last byte that is there.
    var position = 0
    private(set) var end = 0
    private(set) var isFinished = false
    /// Bytes of the document in front of the window.
    private var before = 0
    private var received = 0

    private var transcoder = Transcoder(.utf8)
    /// The first bytes, kept until they tell the encoding; nil after that.
    private var head: [UInt8]? = []
    private var transcoded: [UInt8] = []
    private let stated: XMLEncoding?
    private let limit: Int
    /// What is wrong with the encoding or the size: raised when the tokenizer has read everything before it.
    private(set) var failure: XMLError?

    init(encoding: XMLEncoding?, totalBytes: Int) {
        capacity = 4_096
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.front + capacity + Self.padding)
        memory.initialize(repeating: 0, count: Self.front + capacity + Self.padding)
        bytes = memory + Self.front
        stated = encoding
        limit = totalBytes
    }

    deinit { memory.deallocate() }

    var scratch: UnsafeMutablePointer<UInt8> { memory }
    var encoding: XMLEncoding { transcoder.encoding }
    var isStated: Bool { stated != nil }
    /// Whether the input ended inside a character of two or four bytes.
    var endsInsideCharacter: Bool { isFinished && transcoder.isPending }

    /// The offset in the document of a place in the window. O(1) for UTF-8, else O(window): it is for errors.
    func offset(of place: Int) -> Int {
        guard transcoder.encoding != .utf8 else {
            return before + place
        }
        return before + transcoder.sourceBytes(of: UnsafeBufferPointer(start: bytes, count: min(place, end)))
    }

    mutating func finish() {
        isFinished = true
        decideEncoding()
    }

    mutating func append(_ chunk: UnsafeRawBufferPointer) {
        guard failure == nil, !chunk.isEmpty else { return }
        received += chunk.count
        guard received <= limit else {
            failure = XMLError(.limitExceeded, at: limit, "the document is longer than \(limit) bytes")
            return
        }
        guard head == nil else {
            head?.append(contentsOf: chunk)
            decideEncoding()
            return
        }
        take(chunk)
    }

    private mutating func take(_ chunk: UnsafeRawBufferPointer) {
        guard transcoder.encoding != .utf8 else {
            return store(chunk)
        }
        transcoded.removeAll(keepingCapacity: true)
        transcoder.append(chunk, to: &transcoded)
        let result = transcoded
        result.withUnsafeBytes { store($0) }
    }

    private mutating func store(_ chunk: UnsafeRawBufferPointer) {
        let kept = end - position
        if position > 0 {
            before = offset(of: position)
            bytes.update(from: bytes + position, count: kept)
            position = 0
            end = kept
        }
        if kept + chunk.count > capacity {
            grow(to: kept + chunk.count)
        }
        if let source = chunk.baseAddress {
            UnsafeMutableRawPointer(bytes + end).copyMemory(from: source, byteCount: chunk.count)
        }
        end += chunk.count
        (bytes + end).update(repeating: 0, count: Self.padding)
    }

    private mutating func grow(to needed: Int) {
        capacity = max(needed, 2 * capacity)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.front + capacity + Self.padding)
        larger.initialize(repeating: 0, count: Self.front)
        (larger + Self.front).update(from: bytes, count: end)
        memory.deallocate()
        bytes = larger + Self.front
    }
}

extension InputWindow {
    private static let declarationLimit = 1_024

    /// Finds the encoding as soon as the first bytes tell it: a byte order mark, zero bytes around the first `<`, what
    /// the caller knows from elsewhere (a Content-Type), the XML declaration; else it is UTF-8 (XML 1.0, appendix F).
    private mutating func decideEncoding() {
        guard let head else { return }
        guard head.count >= 4 || isFinished else { return }
        var encoding = XMLEncoding.utf8
        var mark = 0
        if let found = XMLEncoding.detect(head) {
            (encoding, mark) = found
        } else if let stated {
            encoding = stated
        } else {
            let declaration = Array("<?xml".utf8)
            if head.starts(with: declaration) {
                guard let close = head.firstIndex(of: UInt8(ascii: ">")) else {
                    if head.count < Self.declarationLimit, !isFinished {
                        return
                    }
                    return start(.utf8, from: head, mark: 0)
                }
                if let (name, place) = Self.declaredEncoding(head[..<close]) {
                    guard let known = XMLEncoding(named: name) else {
                        failure = XMLError(.encoding, at: place, "unsupported encoding in the XML declaration")
                        self.head = nil
                        return
                    }
                    guard !known.isUTF16 else {
                        failure = XMLError(
                            .encoding, at: place, "the XML declaration says UTF-16, but the bytes are not UTF-16")
                        self.head = nil
                        return
                    }
                    encoding = known
                }
            } else if declaration.starts(with: head), !isFinished {
                return
            }
        }
        start(encoding, from: head, mark: mark)
    }

    private mutating func start(_ encoding: XMLEncoding, from head: [UInt8], mark: Int) {
        transcoder = Transcoder(encoding)
        self.head = nil
        before = mark
        head.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[min(mark, $0.count)...])) }
    }

    /// The name after `encoding=` in the bytes of an XML declaration, roughly read: the tokenizer checks its grammar
    /// when it gets there.
    private static func declaredEncoding(_ bytes: ArraySlice<UInt8>) -> (name: String, place: Int)? {
        let word = Array("encoding".utf8)
        var place = bytes.startIndex
        while place + word.count < bytes.endIndex {
            if bytes[place...].starts(with: word) {
                var at = place + word.count
                while at < bytes.endIndex, bytes[at] <= 0x20 || bytes[at] == UInt8(ascii: "=") {
                    at += 1
                }
                guard at < bytes.endIndex, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") else {
                    return nil
                }
                let quote = bytes[at]
                guard let close = bytes[(at + 1)...].firstIndex(of: quote) else { return nil }
                return (String(decoding: bytes[(at + 1)..<close], as: UTF8.self), at + 1)
            }
            place += 1
        }
        return nil
    }
}
