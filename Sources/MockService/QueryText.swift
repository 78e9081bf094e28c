import ServiceTransport
import Soups

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
            if parts[0].percentDecoded(plusIsBlank: true) == name {
                return parts.count > 1 ? parts[1].percentDecoded(plusIsBlank: true) : ""
            }
        }
        return nil
    }
}
