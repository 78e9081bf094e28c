import EntryCoding
import FoundationTypes
import JSONText

/// Compares the coders of this package with those of Foundation, over one document or one value, under random options.
struct CoderComparison {
    enum Outcome {
        /// Both gave this value, or equal texts.
        case bothAgree
        case bothRefuse
        /// They differ, for a reason that is known.
        case known(KnownDifference)
        /// They differ, which needs a test and a repair, or a reason.
        case finding(String)
    }

    private let options: CodingOptions
    private let ownDecoder: EntryDecoder
    private let ownEncoder: EntryEncoder
    private let decoder = JSONDecoder()
    private let encoder = JSONEncoder()
    /// What the options are, for messages.
    let name: String

    init(_ random: inout some RandomNumberGenerator) {
        var options = CodingOptions()
        var names: [String] = []
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            options.dates = .iso8601
            (encoder.dateEncodingStrategy, decoder.dateDecodingStrategy) = (.iso8601, .iso8601)
            names.append("iso8601")
        case 1:
            options.dates = .seconds
            (encoder.dateEncodingStrategy, decoder.dateDecodingStrategy) = (.secondsSince1970, .secondsSince1970)
            names.append("seconds")
        case 2:
            options.dates = .milliseconds
            encoder.dateEncodingStrategy = .millisecondsSince1970
            decoder.dateDecodingStrategy = .millisecondsSince1970
            names.append("milliseconds")
        default: break
        }
        if Int.random(in: 0..<8, using: &random) == 0 {
            options.data = .bytes
            (encoder.dataEncodingStrategy, decoder.dataDecodingStrategy) = (.deferredToData, .deferredToData)
            names.append("bytes")
        }
        if Int.random(in: 0..<8, using: &random) == 0 {
            options.keys = .snakeCase
            (encoder.keyEncodingStrategy, decoder.keyDecodingStrategy) = (.convertToSnakeCase, .convertFromSnakeCase)
            names.append("snakeCase")
        }
        self.options = options
        name = names.isEmpty ? "defaults" : names.joined(separator: ", ")
        (ownDecoder, ownEncoder) = (EntryDecoder(options), EntryEncoder(options))
    }

    /// Asks both decoders for the same of one document.
    func decode(_ document: [UInt8], _ request: DecodingRequest) -> Outcome {
        let own = Result {
            try DecodingRequest.$current.withValue(request) {
                try ownDecoder.decode(DecodingAnswer.self, from: document).text
            }
        }
        let theirs = Result {
            try DecodingRequest.$current.withValue(request) {
                try decoder.decode(DecodingAnswer.self, from: Data(document)).text
            }
        }
        switch (own, theirs) {
        case (.success(let own), .success(let theirs)) where own == theirs: return .bothAgree
        case (.failure, .failure): return .bothRefuse
        default:
            if let reason = KnownDifference.explaining(own, theirs, of: document, options.keys) {
                return .known(reason)
            }
            return .finding(
                """
                \(String(decoding: document, as: UTF8.self)) \(Array(document.prefix(64)))
                by \(request), \(name)
                ours: \(own)
                theirs: \(theirs)
                """)
        }
    }

    /// Writes one value by both encoders. What ours writes must be JSON, and equal as a value.
    func encode(_ value: RandomValue) -> Outcome {
        let own = Result { try ownEncoder.encode(value) }
        let theirs = Result { try [UInt8](encoder.encode(value)) }
        switch (own, theirs) {
        case (.failure, .failure): return .bothRefuse
        case (.success(let text), .success(let other)):
            do {
                let read = try JSONValue(parsing: text, options: JSONOptions(refusesDuplicateNames: true))
                if read == (try? JSONValue(parsing: other)) {
                    return .bothAgree
                }
            } catch {
                if error.code == .duplicateName {
                    return .known(.oneNameTwice)
                }
            }
        default: break
        }
        let texts = [own, theirs].map { $0.map { String(decoding: $0, as: UTF8.self) } }
        return .finding("\(value), \(name)\nours: \(texts[0])\ntheirs: \(texts[1])")
    }
}
