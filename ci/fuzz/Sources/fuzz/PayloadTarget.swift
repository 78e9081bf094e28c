import JSONText
import OData
import ODataShapes
import Soups
import XMLText

/// Puts an input through the readers of payloads and of metadata: the same answer whole and in pieces, every fault
/// inside the body. The first byte chooses the version, or metadata.
enum PayloadTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        guard let first = input.first else { return }
        let bytes = [UInt8](input.dropFirst())
        if first & 0x80 != 0 {
            do throws(Fault) { _ = try EdmModel(csdl: bytes).json } catch { check(error, bytes) }
            return
        }
        let version = ODataVersion.allCases[Int(first) % ODataVersion.allCases.count]
        let whole = read(bytes, version, chunk: .max)
        let pieces = read(bytes, version, chunk: 1 + Int(first >> 3))
        precondition(whole == pieces, "the size of the pieces matters")
    }

    private static func read(_ bytes: [UInt8], _ version: ODataVersion, chunk: Int) -> [String] {
        var lines: [String] = []
        do throws(Fault) {
            var reader = ODataPayloadReader(options: PayloadOptions(version: version))
            var offset = 0
            while true {
                switch try reader.next() {
                case .entry(let entry): lines.append(entry.json.text())
                case .link(let link): lines.append(link.json.text())
                case .end(let payload): return lines + [payload.json.text()]
                case .needsInput:
                    if offset < bytes.count {
                        let end = bytes.count - offset <= chunk ? bytes.count : offset + chunk
                        try reader.append(Array(bytes[offset..<end]))
                        offset = end
                    } else {
                        try reader.finish()
                    }
                }
            }
        } catch {
            check(error, bytes)
            return lines + [error.code.rawValue]
        }
    }

    private static func check(_ fault: Fault, _ bytes: [UInt8]) {
        // Offsets of a packed body count in what it unpacks to.
        if let offset = fault.offset, !bytes.starts(with: [0x1F, 0x8B]) {
            precondition(offset <= bytes.count, "a fault outside of the body")
        }
    }
}
