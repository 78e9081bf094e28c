import Libc

/// Compares the coders of this package with those of Foundation. The first byte says what is compared: `r` a document as
/// it is, `g` one that is generated, `s` many documents and values that are drawn from a seed, anything else a value that
/// both encode. The second is the number of bytes from which
/// options, the request and what is generated are drawn; a document follows.
enum CodableTarget {
    private struct Counts {
        var documents = 0
        var readByBoth = 0
        var values = 0
        var writtenByBoth = 0
        var differences: [KnownDifference: Int] = [:]
    }

    // libFuzzer runs inputs one after the other, on one thread.
    private nonisolated(unsafe) static var counts = Counts()
    private static let reportsAtExit: Void = { _ = atexit { CodableTarget.report() } }()

    static func run(_ input: UnsafeRawBufferPointer) {
        _ = reportsAtExit
        guard input.count >= 2 else { return }
        let rest = input.dropFirst(2)
        var random = InputNumbers(bytes: Array(rest.prefix(Int(input[1]))))
        let comparison = CoderComparison(&random)
        switch input[0] {
        case UInt8(ascii: "r"):
            let request = DecodingRequest.make(&random, depth: 4)
            count(comparison.decode(Array(rest.dropFirst(Int(input[1]))), request))
        case UInt8(ascii: "g"):
            let request = DecodingRequest.make(&random, depth: 4)
            count(comparison.decode(Array(RandomDocument.fitting(request, &random).utf8), request))
        case UInt8(ascii: "s"):
            var numbers = SeededNumbers(state: rest.reduce(0) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
            for _ in 0..<40 {
                let comparison = CoderComparison(&numbers)
                let request = DecodingRequest.make(&numbers, depth: 4)
                count(comparison.decode(Array(RandomDocument.fitting(request, &numbers).utf8), request))
                encode(.make(&numbers, depth: 4), comparison)
            }
        default: encode(.make(&random, depth: 5), comparison)
        }
    }

    private static func encode(_ value: RandomValue, _ comparison: CoderComparison) {
        counts.values += 1
        switch checked(comparison.encode(value)) {
        case .bothAgree: counts.writtenByBoth += 1
        case .known(let difference): counts.differences[difference, default: 0] += 1
        case .bothRefuse, .finding: break
        }
    }

    private static func count(_ outcome: CoderComparison.Outcome) {
        counts.documents += 1
        switch checked(outcome) {
        case .bothAgree: counts.readByBoth += 1
        case .known(let difference): counts.differences[difference, default: 0] += 1
        case .bothRefuse, .finding: break
        }
    }

    /// The outcome, if it is not a finding.
    private static func checked(_ outcome: CoderComparison.Outcome) -> CoderComparison.Outcome {
        if case .finding(let finding) = outcome {
            fatalError("the coders differ:\n\(finding)")
        }
        return outcome
    }

    private static func report() {
        print(
            "codable: \(counts.documents) documents, \(counts.readByBoth) of them read by both decoders as equal values"
        )
        print(
            "codable: \(counts.values) values, \(counts.writtenByBoth) of them written by both encoders as equal values"
        )
        for difference in KnownDifference.allCases {
            print("codable: \(counts.differences[difference] ?? 0) known differences: \(difference.rawValue)")
        }
    }
}

/// Numbers of a seed (SplitMix64).
private struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// Numbers from the bytes of an input; the same number again when there are no more.
private struct InputNumbers: RandomNumberGenerator {
    var bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> UInt64 {
        let byte = position < bytes.count ? bytes[position] : 0
        position += 1
        // The standard library takes a choice from the upper bits, and draws again where all others are 0.
        return UInt64(byte) << 56 | 0x00A5_A5A5_A5A5_A5A5
    }
}
