import Benchmarking
import SOQL
import Soups

/// The cost of SOQL texts: reading, completing and printing a query, compared with a loop that only reads every byte;
/// how that grows; and how soon a text that never closes is refused.
enum SOQLCells: CellSource {
    private static let query = Arm("query")
    private static let byteLoop = Arm("byte-loop")
    private static let small = Arm("25-kb")
    private static let large = Arm("250-kb")

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        return [reading, growth, fault("parentheses", "("), fault("quotes", "'")]
    }

    // MARK: - Queries that are read

    private static let reading = Cell(
        "soql-query", ["bytes": "1000"], revision: 1,
        summary: "reads a query of 1 KB, adds a condition, an order and the id to it, and prints it",
        arms: [query, byteLoop], comparisons: [.init(byteLoop, query, sameAnswer: false)], primary: .cpu,
        profile: .full,
        claims: [
            Claim("PRF-07", "a query of 1 KB costs 10 us", backend: "any", .cost(arm: query, atMost: 10_000))
        ]
    ) { arm, _ in
        let text = text(bytes: 1_000)
        let times = 1_000
        var result = 0
        guard arm.work == query else {
            return Computation {
                result = 0
                for _ in 0..<times {
                    for byte in text.utf8 {
                        result = result &* 31 &+ Int(byte)
                    }
                }
                return times
            } answer: {
                $0.add(result)
            }
        }
        return Computation {
            result = 0
            for _ in 0..<times {
                result &+= try completed(text).utf8.count
            }
            return times
        } answer: {
            $0.add(result)
        }
    }

    private static let growth = Cell(
        "soql-growth", ["bytes": "25000,250000"], revision: 1,
        summary: "reads, completes and prints a query of 25 KB, and one of 250 KB",
        arms: [small, large], comparisons: [.init(small, large, sameAnswer: false)], primary: .cpu,
        profile: .full,
        claims: [
            Claim(
                "PRF-07", "a query of 250 KB costs 12 times what one of 25 KB costs", backend: "any",
                .ratio(base: small, arm: large, atMost: 12))
        ]
    ) { arm, _ in
        let text = text(bytes: arm.work == large ? 250_000 : 25_000)
        var result = 0
        return Computation {
            result = try completed(text).utf8.count
            return 1
        } answer: {
            $0.add(result)
        }
    }

    /// What a sync does with the query of its user.
    private static func completed(_ text: String) throws(Fault) -> String {
        try SOQLQuery(text).addingSelect("LastModifiedDate").addingSelect("Id")
            .addingWhere("LastModifiedDate > 2026-05-04T00:00:00Z").replacingOrderBy(with: "LastModifiedDate").text
    }

    /// A query of about this length, most of it the ids of a list and the alternatives of a condition, as engines and
    /// user interfaces write them.
    private static func text(bytes: Int) -> String {
        var text = "select Name, Industry, (select LastName from Contacts) from Account where Name = 'x'"
        var number = 0
        while text.utf8.count < bytes {
            number += 1
            text += " or (Name like 'product \\'\(number)%' and Id not in ('001P00000\(1_000_000 + number)','b'))"
        }
        return text + " limit 2000"
    }

    // MARK: - Texts that never close

    private static func fault(_ name: String, _ sign: Character) -> Cell {
        Cell(
            "soql-fault", ["bytes": "1000000", "text": name], revision: 1,
            summary: "refuses 1 MB of \(name)", arms: [query, byteLoop],
            comparisons: [.init(byteLoop, query, sameAnswer: false)], primary: .cpu, profile: .full,
            claims: [
                Claim(
                    "PRF-07", "1 MB of \(name) is refused in 20 ms", backend: "any",
                    .cost(arm: query, atMost: 20_000_000))
            ]
        ) { arm, _ in
            // An odd number, so that the last quote is open.
            let text = "select " + String(repeating: sign, count: 999_993)
            var result = 0
            guard arm.work == query else {
                return Computation {
                    result = 0
                    for byte in text.utf8 {
                        result = result &* 31 &+ Int(byte)
                    }
                    return 1
                } answer: {
                    $0.add(result)
                }
            }
            return Computation {
                result = try refusal(of: text)
                return 1
            } answer: {
                $0.add(result)
            }
        }
    }

    /// The offset of what is wrong with a text.
    private static func refusal(of text: String) throws -> Int {
        do {
            _ = try SOQLQuery(text)
        } catch {
            return error.offset ?? -1
        }
        throw Fault(.corrupt, "a text that never closes was read")
    }
}
