import ServiceTransport

/// Reads percent-encoded texts of URLs.
enum QueryText {
    /// The value of a parameter; nil without it, or if it is not well-formed. Takes the pairs of a request that did not
    /// come over a connection as they are.
    static func value(_ name: String, in request: ServiceRequest) -> String? {
        guard let encoded = request.encodedQuery else {
            return request.query.first { $0.name == name }?.value
        }
        for pair in encoded.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            if decoded(parts[0], plusIsBlank: true) == name {
                return parts.count > 1 ? decoded(parts[1], plusIsBlank: true) : ""
            }
        }
        return nil
    }

    /// nil for a percent sign without two digits, and for bytes that are not UTF-8. In queries services read a plus as
    /// a blank.
    static func decoded(_ text: some Sequence<UInt8>, plusIsBlank: Bool) -> String? {
        var bytes: [UInt8] = []
        var iterator = text.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "+") where plusIsBlank: bytes.append(0x20)
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(hexadecimal), let low = iterator.next().flatMap(hexadecimal)
                else { return nil }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
