import XMLText

/// Logs the tokens of a document in the form of `ci/peers/expat_events.py`.
enum EventLog {
    /// - Parameter chunk: The number of bytes in a piece.
    static func read(
        _ document: [UInt8], chunk: Int = .max, limits: XMLLimits = XMLLimits(), encoding: XMLEncoding? = nil
    ) throws(XMLError) -> [UInt8] {
        var tokenizer = XMLTokenizer(limits: limits, encoding: encoding)
        var log: [[UInt8]] = []
        var text: [UInt8] = []
        func flush() {
            if !text.isEmpty {
                log.append(Array("T".utf8) + text)
            }
            text = []
        }
        func written(_ name: XMLName, _ tokenizer: borrowing XMLTokenizer) -> String {
            let namespace = tokenizer.namespace(of: name)
            return (namespace.isEmpty ? "" : namespace + "|") + tokenizer.localName(of: name)
        }
        var pieces = DocumentPieces(document, of: chunk)
        while true {
            switch try tokenizer.next() {
            case .needsInput:
                pieces.give(to: &tokenizer)
            case .startElement:
                flush()
                log.append(Array(("S" + written(tokenizer.name, tokenizer)).utf8))
                var lines: [(key: [UInt8], line: [UInt8])] = []
                for index in 0..<tokenizer.attributeCount {
                    let key = Array(written(tokenizer.attributeName(index), tokenizer).utf8)
                    lines.append(
                        (key, [UInt8(ascii: "A")] + key + [UInt8(ascii: "=")] + Array(tokenizer.attributeValue(index))))
                }
                log += lines.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.line)
            case .endElement:
                flush()
                log.append(Array(("E" + written(tokenizer.name, tokenizer)).utf8))
            case .text:
                text += tokenizer.text
            case .comment:
                flush()
                log.append([UInt8(ascii: "C")] + normalised(Array(tokenizer.text)))
            case .processingInstruction:
                flush()
                log.append([UInt8(ascii: "P")] + instruction(normalised(Array(tokenizer.text))))
            case .endOfDocument:
                return Array(log.joined(separator: [0x0A]))
            }
        }
    }

    /// Line breaks as XML reads them; the tokenizer leaves comments and instructions as written.
    private static func normalised(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if byte == 0x0D {
                result.append(0x0A)
            } else if byte != 0x0A || index == 0 || bytes[index - 1] != 0x0D {
                result.append(byte)
            }
        }
        return result
    }

    private static func instruction(_ bytes: [UInt8]) -> [UInt8] {
        let space: Set<UInt8> = [0x20, 0x09, 0x0A]
        let target = bytes.prefix { !space.contains($0) }
        return target + [0x20] + bytes.dropFirst(target.count).drop { space.contains($0) }
    }

    static func text(_ document: String, chunk: Int = .max) throws(XMLError) -> String {
        String(decoding: try read(Array(document.utf8), chunk: chunk), as: UTF8.self)
    }

    /// The code and offset of the error of a document; nil if it is accepted.
    static func error(_ document: [UInt8], chunk: Int = .max, limits: XMLLimits = XMLLimits()) -> XMLError? {
        do throws(XMLError) {
            _ = try read(document, chunk: chunk, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    static func error(_ document: String) -> XMLError? { error(Array(document.utf8)) }

    /// The line that the peer prints for the same document.
    static func verdict(_ document: [UInt8]) -> String {
        guard let log = try? read(document) else {
            return "error"
        }
        return "ok \(log.count) \(crc32(log))"
    }

    /// The checksum of zlib and of PNG (ISO 3309).
    static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc = table[Int((crc ^ UInt32(byte)) & 0xFF)] ^ (crc >> 8)
        }
        return ~crc
    }

    private static let table: [UInt32] = (0..<256).map { index in
        var value = UInt32(index)
        for _ in 0..<8 {
            value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
        }
        return value
    }
}
