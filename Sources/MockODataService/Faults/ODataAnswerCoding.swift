import ServiceTransport

/// Writes the bytes of an answer in other ways.
enum ODataAnswerCoding {
    static func apply(_ coding: MockODataFault.Coding, to response: inout ServiceResponse) {
        switch coding {
        case .byteOrderMark: response.body = [0xEF, 0xBB, 0xBF] + response.body
        case .gzip:
            response.body = gzip(response.body)
            response.headers.append(Pair("Content-Encoding", "gzip"))
        case .latin1:
            var text = String(decoding: response.body, as: UTF8.self)
            if let range = text.firstRange(of: "encoding=\"utf-8\"") {
                text.replaceSubrange(range, with: "encoding=\"ISO-8859-1\"")
            }
            response.body = text.unicodeScalars.map { $0.value < 256 ? UInt8($0.value) : UInt8(ascii: "?") }
            for index in response.headers.indices where response.headers[index].name == "Content-Type" {
                response.headers[index].value += ";charset=ISO-8859-1"
            }
        }
    }

    /// As blocks that are not compressed.
    private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let count = UInt16(block.count)
            result.append(rest.isEmpty ? 1 : 0)
            for number in [count, ~count] {
                result += [UInt8(number & 0xFF), UInt8(number >> 8)]
            }
            result += block
        } while !rest.isEmpty
        for number in [checksum(bytes), UInt32(truncatingIfNeeded: bytes.count)] {
            result += (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        return result
    }

    /// CRC-32.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0 as UInt32) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
    }
}
