/// The part of a document that is not read yet, as UTF-8, followed by 64 zero bytes. Scanning loops stop at a zero and
/// so need no bounds checks.
///
/// The window owns its memory and reuses it for each piece that arrives. It grows only if a token is larger than the
/// window. It is not an array, because scans read 16 bytes at once, possibly past the end of the text.
struct InputWindow: ~Copyable {
    static let padding = 64
    /// The number of bytes before the window, for the text of one character reference.
    private static let front = 16

    /// The start of the allocation: the space for references, which is followed by the window.
    private var memory: UnsafeMutablePointer<UInt8> { bytes - Self.front }
    private(set) var bytes: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// The index of the next byte to read. `end` is the index after the last byte.
    var position = 0
    private(set) var end = 0
    private(set) var isFinished = false
    /// The number of bytes of the document before the window.
    private var before = 0
    private let known = KnownOffset()
    private var received = 0

    private var transcoder = Transcoder(.utf8)
    /// The first bytes, until the encoding is known; nil after that.
    private var head: [UInt8]? = []
    private var transcoded: [UInt8] = []
    private let stated: XMLEncoding?
    private let limit: Int
    /// An error of the encoding or the size. It is thrown once the tokenizer has read everything before it.
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

    /// The last index in the window whose offset was asked for, and how many bytes of the document are between the
    /// start of the window and it.
    private final class KnownOffset {
        var index = 0
        var sourceBytes = 0
    }

    /// The offset in the document of an index in the window. O(1) for UTF-8, otherwise O(n) in the distance from the
    /// last index that was asked for.
    func offset(of index: Int) -> Int {
        guard transcoder.encoding != .utf8 else {
            return before + index
        }
        let index = min(index, end)
        if index < known.index {
            (known.index, known.sourceBytes) = (0, 0)
        }
        let between = UnsafeBufferPointer(start: bytes + known.index, count: index - known.index)
        known.sourceBytes += transcoder.sourceBytes(of: between)
        known.index = index
        return before + known.sourceBytes
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
            (known.index, known.sourceBytes) = (0, 0)
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

    /// Determines the encoding as soon as the first bytes are known: by a byte order mark, zero bytes around the first
    /// `<`, the encoding that the caller gave (from a Content-Type), or the XML declaration. Otherwise it is UTF-8 (XML
    /// 1.0, appendix F).
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
                if let (name, index) = Self.declaredEncoding(head[..<close]) {
                    guard let known = XMLEncoding(named: name) else {
                        failure = XMLError(.encoding, at: index, "unsupported encoding in the XML declaration")
                        self.head = nil
                        return
                    }
                    guard !known.isUTF16 else {
                        failure = XMLError(
                            .encoding, at: index, "the XML declaration says UTF-16, but the bytes are not UTF-16")
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

    /// The name after `encoding=` in the bytes of an XML declaration. The tokenizer checks the grammar of the
    /// declaration later.
    private static func declaredEncoding(_ bytes: ArraySlice<UInt8>) -> (name: String, index: Int)? {
        let word = Array("encoding".utf8)
        var index = bytes.startIndex
        while index + word.count < bytes.endIndex {
            if bytes[index...].starts(with: word) {
                var at = index + word.count
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
            index += 1
        }
        return nil
    }
}
