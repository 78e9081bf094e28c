import Foundation
import OData
import TestSupport
import Testing

/// Writes random values of every Edm type in every format and version, reads them and compares: type, value and digits.
///
/// `ci/exchange` runs this with 10,000 entities of each format, and prints the figures.
@Suite struct RoundTripTests {
    private static let count = ProcessInfo.processInfo.environment["SOUP_ROUND_TRIPS"].flatMap(Int.init)

    @Test(arguments: ExchangeWay.all) func `what is written is read as it was`(way: ExchangeWay) throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        var generator = way.generator(seed: seed)
        let model = way.model
        var writer = ODataEntryWriter(version: way.version, format: way.format, model: model, entityType: "N.T")
        writer.isIEEE754Compatible = way.isIEEE754
        var options = PayloadOptions(version: way.version, contentType: ContentType(way.contentType))
        options.model = model
        options.entityType = "N.T"
        var values = 0
        let rounds = Self.count ?? 40
        for round in 0..<rounds {
            let entry = try way.entry(Int32(round), model, &generator)
            let text = try writer.text(of: entry)
            guard case .entry(let read) = try ODataPayload(reading: Array(text.utf8), options: options) else {
                Issue.record("seed \(seed): not an entry: \(text)")
                return
            }
            for property in entry.properties {
                let found = read[property.name]
                let isSame = found.map { ExchangeWay.areSame($0, property.value) } ?? false
                #expect(
                    isSame, "seed \(seed), \(property.name): \(property.value) is read as \(String(describing: found))")
                guard isSame else { return }
                values += 1
            }
        }
        if Self.count != nil {
            let types = way.types.count
            print(
                "exchange: \(way.testDescription): \(rounds) entities with all of \(types) types, \(values) in all, equal; seed \(seed)"
            )
        }
    }
}
