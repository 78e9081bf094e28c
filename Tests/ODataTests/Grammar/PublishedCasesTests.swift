import OData
import Soups
import TestSupport
import Testing

@Suite(.enabled(if: TestData.isPresent("odata-abnf"), "\(TestData.skipComment)")) struct PublishedCasesTests {
    private static let main = "odata-abnf-testcases.yaml"

    /// Texts that match the grammar but violate its additional rules: a system option may occur only once, in any
    /// spelling.
    private static let refusedByOtherRules: Set<String> = [
        "$format=json&$Format=atom&$format=xml&$format=text/html",
        "$format=JSON&$format=Atom&$format=XML&$format=text/html",
    ]

    @Test func `texts of the grammar are accepted`() throws {
        var failures: [String] = []
        var count = 0
        for item in try PublishedCase.load(Self.main) where item.failAt == nil {
            if PublishedCase.otherRules.contains(item.rule) || Self.refusedByOtherRules.contains(item.input) {
                continue
            }
            count += 1
            do { try item.read() } catch { failures.append("\(item) — \(error)") }
        }
        print("published grammar: \(count - failures.count) of \(count) texts accepted")
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
        #expect(count > 300)
    }

    @Test func `texts outside the grammar are refused`() throws {
        var accepted: [String] = []
        var samePlace = 0
        var count = 0
        for item in try PublishedCase.load(Self.main) {
            guard let failAt = item.failAt, !PublishedCase.otherRules.contains(item.rule) else {
                continue
            }
            count += 1
            do {
                try item.read()
                accepted.append(item.description)
            } catch let fault as Fault {
                if fault.offset == failAt {
                    samePlace += 1
                }
            }
        }
        print(
            "published grammar: \(count - accepted.count) of \(count) wrong texts refused, \(samePlace) at the published place"
        )
        #expect(accepted.isEmpty, "\(accepted.joined(separator: "\n"))")
        #expect(count > 30)
    }

    /// Every invalid pipeline is refused. If only the kinds of names make it invalid, it is checked against a model
    /// with the names of the constraints.
    @Test func `wrong pipelines are refused`() throws {
        let model = try PublishedCase.model(Self.aggregation)
        var accepted: [String] = []
        var count = 0
        var unsupported = 0
        for item in try PublishedCase.load(Self.aggregation) where item.failAt != nil {
            count += 1
            do throws(Fault) {
                try ODataURL(parsing: "Sales?" + item.input, version: .v401).check(against: model)
                accepted.append(item.description)
            } catch {
                // The four supported steps may be `unsupported` only for features that they lack.
                if error.code == .unsupported {
                    unsupported += 1
                }
            }
        }
        print(
            "published aggregation: \(count - accepted.count) of \(count) wrong pipelines refused, \(unsupported) of them for what is not supported"
        )
        #expect(accepted.isEmpty, "\(accepted.joined(separator: "\n"))")
        #expect(count > 10 && unsupported < count)
    }

    /// Supported pipelines are valid for the model of the constraints.
    @Test func `supported pipelines fit the model of the constraints`() throws {
        // A computed name must not be that of a declared property.
        let model = try PublishedCase.model(Self.aggregation, declaresAliases: false)
        for item in try PublishedCase.load(Self.aggregation) where item.failAt == nil && item.rule == "queryoptions" {
            guard let url = try? ODataURL(parsing: "Sales?" + item.input, version: .v401), url.options.apply != nil
            else {
                continue
            }
            #expect(throws: Never.self, "\(item)") { try url.check(against: model) }
        }
    }

    private static let aggregation = "odata-aggregation-testcases.yaml"

    /// Pipelines of supported steps are parsed. Every other published pipeline is `unsupported`, never a wrong tree or
    /// `syntax`.
    @Test func `published pipelines are parsed or unsupported`() throws {
        // A custom aggregate looks like a property without a method and is refused as such; likewise methods after a
        // type.
        let custom = ["Forecast", "Budget", "Self.DigitalProduct with"]
        var failures: [String] = []
        var parsed = 0
        var unsupported = 0
        for item in try PublishedCase.load(Self.aggregation) where item.failAt == nil && !item.input.contains("#") {
            if custom.contains(where: { item.input.contains($0) }) {
                continue
            }
            do {
                if item.rule == "queryoptions" {
                    _ = try ODataURL.options(parsing: item.input, version: .v401)
                } else {
                    try item.read()
                }
                parsed += 1
            } catch let fault as Fault {
                if fault.code == .unsupported {
                    unsupported += 1
                } else {
                    failures.append("\(item) — \(fault)")
                }
            }
        }
        print("published aggregation: \(parsed) parsed, \(unsupported) unsupported, \(failures.count) otherwise")
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }
}
