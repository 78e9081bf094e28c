import OData
import Soups
import TestSupport
import Testing

@Suite(.enabled(if: TestData.isPresent("odata-abnf"), "\(TestData.skipComment)")) struct PublishedCasesTests {
    private static let main = "odata-abnf-testcases.yaml"

    /// Matched by the grammar, refused by the rules beside it: a system option may occur once, in whatever spelling.
    private static let refusedByOtherRules: Set<String> = [
        "$format=json&$Format=atom&$format=xml&$format=text/html", "$format=JSON&$format=Atom&$format=XML&$format=text/html",
    ]

    @Test func textsOfTheGrammarAreAccepted() throws {
        var failures: [String] = []
        var count = 0
        for item in try PublishedCase.load(Self.main) where item.failAt == nil {
            if PublishedCase.otherRules.contains(item.rule) || Self.refusedByOtherRules.contains(item.input) { continue }
            count += 1
            do { try item.read() } catch { failures.append("\(item) — \(error)") }
        }
        print("published grammar: \(count - failures.count) of \(count) texts accepted")
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
        #expect(count > 300)
    }

    @Test func textsOutsideTheGrammarAreRefused() throws {
        var accepted: [String] = []
        var samePlace = 0
        var count = 0
        for item in try PublishedCase.load(Self.main) {
            guard let failAt = item.failAt, !PublishedCase.otherRules.contains(item.rule) else { continue }
            count += 1
            do {
                try item.read()
                accepted.append(item.description)
            } catch let fault as Fault {
                if fault.offset == failAt { samePlace += 1 }
            }
        }
        print("published grammar: \(count - accepted.count) of \(count) wrong texts refused, \(samePlace) at the published place")
        #expect(accepted.isEmpty, "\(accepted.joined(separator: "\n"))")
        #expect(count > 30)
    }

    /// Of the pipelines the supported steps are parsed; every other published one ends in `unsupported`, never in a wrong tree or `syntax`.
    @Test func publishedPipelinesAreParsedOrUnsupported() throws {
        // An aggregate that a service defines looks like a property without a method, which is refused as such; likewise methods over a type.
        let custom = ["Forecast", "Budget", "Self.DigitalProduct with"]
        var failures: [String] = []
        var parsed = 0
        var unsupported = 0
        for item in try PublishedCase.load("odata-aggregation-testcases.yaml") where item.failAt == nil && !item.input.contains("#") {
            if custom.contains(where: { item.input.contains($0) }) { continue }
            do {
                if item.rule == "queryoptions" { _ = try ODataURL.options(parsing: item.input, version: .v401) } else { try item.read() }
                parsed += 1
            } catch let fault as Fault {
                if fault.code == .unsupported { unsupported += 1 } else { failures.append("\(item) — \(fault)") }
            }
        }
        print("published aggregation: \(parsed) parsed, \(unsupported) unsupported, \(failures.count) otherwise")
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }
}
