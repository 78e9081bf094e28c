import Foundation
import TestSupport
import Testing

/// Random documents, read by random trees of requests through both decoders, and random values, written by both
/// encoders: APP-44. `ci/fuzz/run codable` does the same with inputs that libFuzzer finds.
@Suite struct CodingFuzzTests {
    private static var seed: UInt64 {
        UInt64(ProcessInfo.processInfo.environment["SOUP_RANDOM_SEED"] ?? "") ?? .random(in: 0 ... .max)
    }

    private static var rounds: Int {
        Int(ProcessInfo.processInfo.environment["SOUP_RANDOM_DOCUMENTS"] ?? "") ?? 3000
    }

    @Test func `both decoders agree about random documents and requests`() {
        let seed = Self.seed
        print("coding: seed \(seed), \(Self.rounds) documents")
        var random = SeededRandom(seed: seed)
        var agreed = 0
        for round in 0..<Self.rounds {
            let comparison = CoderComparison(&random)
            let request = DecodingRequest.make(&random, depth: 4)
            let document =
                Bool.random(using: &random)
                ? RandomDocument.fitting(request, &random) : RandomDocument.make(&random, depth: 4)
            switch comparison.decode(Array(document.utf8), request) {
            case .bothAgree: agreed += 1
            case .bothRefuse, .known: break
            case .finding(let finding): Issue.record("seed \(seed), round \(round): \(finding)")
            }
        }
        #expect(agreed > Self.rounds / 10)
    }

    @Test func `both encoders write the same values`() {
        let seed = Self.seed
        print("coding, encoders: seed \(seed)")
        var random = SeededRandom(seed: seed)
        var agreed = 0
        for round in 0..<Self.rounds {
            let comparison = CoderComparison(&random)
            switch comparison.encode(RandomValue.make(&random, depth: 4)) {
            case .bothAgree: agreed += 1
            case .bothRefuse, .known: break
            case .finding(let finding): Issue.record("seed \(seed), round \(round): \(finding)")
            }
        }
        #expect(agreed > Self.rounds / 2)
    }
}
