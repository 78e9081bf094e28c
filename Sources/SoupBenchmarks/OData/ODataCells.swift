import Benchmarking
import JSONText
import OData
import Soups

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The cost of OData texts: parsing a filter from bytes, compared with a loop that only reads every byte, and with
/// odata-query (Python) if `SOUP_ODATA_QUERY` names an interpreter that has it (`ci/peers/odata-query` prints one); and
/// evaluating a filter for many entities, compared with the same condition written in Swift.
enum ODataCells: CellSource {
    static let tree = Arm("tree")
    static let byteLoop = Arm("byte-loop")
    static let peer = Arm("odata-query")
    static let evaluator = Arm("evaluator")
    static let written = Arm("written-in-swift")

    static func cells(_ scope: CellScope) -> [Cell] {
        [
            filter("short", short, times: 2_000), filter("medium", medium, times: 400), filter("long", long, times: 40),
            evaluation(scope),
        ]
    }

    // MARK: - Parsing

    static let short = "Name eq 'x'"

    static let medium =
        "contains(Name,'milk') and Price gt 2.55 and (Rating ge 4 or Rating eq null) and Released lt 2013-01-01T04:30:00Z and not startswith(Code,'A-7')"

    /// About 2 KB: a chain of comparisons and calls, as user interfaces generate them.
    static let long = (0..<38).map { "(Name eq 'product \($0)' and Price gt \($0).5 or Rating le \($0))" }.joined(
        separator: " or ")

    /// The interpreter of the peer; nil if it is not set up.
    private static var interpreter: String? {
        ProcessInfo.processInfo.environment["SOUP_ODATA_QUERY"].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func filter(_ name: String, _ text: String, times: Int) -> Cell {
        var arms = [tree, byteLoop]
        var comparisons = [Cell.Comparison(byteLoop, tree, sameAnswer: false)]
        var claims: [Claim] = []
        if interpreter != nil {
            arms.append(peer)
            // The two make different trees, so only their success is compared.
            comparisons.append(Cell.Comparison(tree, peer, sameAnswer: false))
            claims.append(
                Claim(
                    "ODATA-filter-\(name)", "a \(name) filter parses 200 times faster than in odata-query",
                    backend: "plain",
                    .slower(base: tree, arm: peer, atLeast: 200)))
        }
        return Cell(
            "odata-filter", ["text": name, "bytes": String(text.utf8.count)], revision: 1,
            summary: "parses a \(name) $filter from bytes", arms: arms,
            comparisons: comparisons, claims: claims
        ) { arm, _ in
            switch arm.work {
            case tree: parsing(text, times)
            case peer: try peerParsing(text, times)
            default: reading(text, times)
            }
        }
    }

    private static func parsing(_ text: String, _ times: Int) -> Computation {
        let bytes = Array(text.utf8)
        var result = 0
        return Computation {
            result = 0
            for _ in 0..<times {
                result &+= try ODataExpression(parsing: bytes).nodes.count
            }
            return times
        } answer: {
            $0.add(result)
        }
    }

    private static func peerParsing(_ text: String, _ times: Int) throws -> Computation {
        guard let interpreter else {
            throw Fault(.libraryUnavailable, "set SOUP_ODATA_QUERY to a Python interpreter that has odata-query")
        }
        let process = try WorkerProcess(executable: interpreter, arguments: [script], padding: 0)
        let question: JSONValue = ["filter": .string(text), "times": .number(JSONNumber(Int64(times)))]
        var result = 0
        return Computation(isInAnotherProcess: true) {
            result = Int(try process.ask(question)["parsed"]?.int64 ?? 0)
            return times
        } answer: {
            $0.add(result)
        }
    }

    /// A loop that only reads every byte.
    private static func reading(_ text: String, _ times: Int) -> Computation {
        let bytes = Array(text.utf8)
        var result = 0
        return Computation {
            result = 0
            for _ in 0..<times {
                for byte in bytes {
                    result = result &* 31 &+ Int(byte)
                }
            }
            return times
        } answer: {
            $0.add(result)
        }
    }

    /// The script that the peer runs, in the folder of this package.
    private static let script: String = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(5)
        return parts.joined(separator: "/") + "/ci/peers/odata_query_peer.py"
    }()

    // MARK: - Evaluation

    private static func evaluation(_ scope: CellScope) -> Cell {
        let count = scope.profile.name == .smoke ? 1_000 : 100_000
        return Cell(
            "odata-evaluate", ["entities": String(count)], revision: 1,
            summary: "decides a filter of four conditions for every entity, as JSON trees",
            arms: [evaluator, written], comparisons: [.init(written, evaluator)]
        ) { arm, workplace in
            let entities = entities(count, seed: workplace.seed)
            var kept = 0
            if arm.work == evaluator {
                let expression = try ODataExpression(
                    parsing: "(contains(Name,'7') or Rating ge 4) and Price lt 500 and Addr/City ne 'Bern'")
                let condition = try ODataEvaluator(filter: expression)
                return Computation {
                    kept = 0
                    for entity in entities where try condition.matches(entity) == true {
                        kept += 1
                    }
                    return entities.count
                } answer: { digest in
                    digest.add(kept)
                    try addIDs(of: entities, to: &digest) { try condition.matches($0) == true }
                }
            }
            return Computation {
                kept = 0
                for entity in entities where Self.isKept(entity) {
                    kept += 1
                }
                return entities.count
            } answer: { digest in
                digest.add(kept)
                addIDs(of: entities, to: &digest) { Self.isKept($0) }
            }
        }
    }

    /// Adds the ids of the entities that are kept, in their order: a count alone would be the same for others.
    private static func addIDs(
        of entities: [JSONValue], to digest: inout ContentDigest, where isKept: (JSONValue) throws -> Bool
    ) rethrows {
        for entity in entities where try isKept(entity) {
            digest.add(Int(entity["ID"]?.int64 ?? -1))
        }
    }

    private static func entities(_ count: Int, seed: UInt64) -> [JSONValue] {
        var random = SplitMix(seed: seed)
        let cities = ["Bern", "Oslo", "Berlin", "Wien"]
        return (0..<count).map { number in
            let draw = Int(truncatingIfNeeded: random.next() >> 8)
            return [
                "ID": .number(JSONNumber(Int64(number))), "Name": .string("product \(draw % 1_000)"),
                "Price": .number(JSONNumber(Int64(draw % 1_000))),
                "Rating": draw % 7 == 0 ? .null : .number(JSONNumber(Int64(draw % 6))),
                "Addr": ["City": .string(cities[draw % 4])],
            ]
        }
    }

    /// The same condition without an expression, as a program with a fixed condition would have it.
    private static func isKept(_ entity: JSONValue) -> Bool {
        let hasSeven = entity["Name"]?.string?.utf8.contains(UInt8(ascii: "7")) ?? false
        let isGood = entity["Rating"]?.int64.map { $0 >= 4 } ?? false
        guard hasSeven || isGood, let price = entity["Price"]?.int64, price < 500 else {
            return false
        }
        return entity["Addr"]?["City"]?.string.map { !$0.utf8.elementsEqual("Bern".utf8) } ?? true
    }
}
