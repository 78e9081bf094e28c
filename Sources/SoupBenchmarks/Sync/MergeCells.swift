import Benchmarking
import JSONText
import LocalChanges

/// The cost of a three-way merge, compared with looking up each field once in the three versions.
enum MergeCells: CellSource {
    private static let merge = Arm("merge")
    private static let lookUps = Arm("look-ups")
    private static let fields = 100

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        let records = scope.profile.name == .smoke ? 100 : 10_000
        return [
            Cell(
                "three-way-merge", ["fields": String(fields), "records": String(records)], revision: 1,
                summary: "merges \(records) records of \(fields) fields that were changed on both sides",
                arms: [merge, lookUps], comparisons: [.init(lookUps, merge, sameAnswer: false)], primary: .cpu,
                profile: .full,
                claims: [
                    Claim(
                        "PRF-12", "a merge of 100 fields costs 100 us", backend: "any",
                        .cost(arm: merge, atMost: 100_000))
                ]
            ) { arm, _ in
                let bases = (0..<records).map { version($0, edits: [:]) }
                let theirs = (0..<records).map { version($0, edits: [3: "theirs", 50: "theirs", 97: "theirs"]) }
                let yours = (0..<records).map { version($0, edits: [3: "yours", 20: "yours"]) }
                return arm.work == merge ? merging(bases, theirs, yours) : looking([bases, theirs, yours])
            }
        ]
    }

    private static func merging(_ bases: [JSONObject], _ theirs: [JSONObject], _ yours: [JSONObject]) -> Computation {
        let merge = ThreeWayMerge()
        var changed = 0
        return Computation {
            changed = 0
            for index in bases.indices {
                let outcome = merge.outcome(
                    base: bases[index], theirs: theirs[index], yours: yours[index], mode: .acceptYours)
                if case .merged(let record, let changes) = outcome {
                    changed += changes.conflicting.count + record.count
                }
            }
            return bases.count
        } answer: {
            $0.add(changed)
        }
    }

    /// Compares the fields of each version with a text, by their positions.
    private static func looking(_ versions: [[JSONObject]]) -> Computation {
        var found = 0
        return Computation {
            found = 0
            for records in versions {
                for record in records {
                    for (_, value) in record.members where value == "theirs" {
                        found += 1
                    }
                }
            }
            return versions.first?.count ?? 0
        } answer: {
            $0.add(found)
        }
    }

    private static func version(_ number: Int, edits: [Int: String]) -> JSONObject {
        JSONObject(
            (0..<fields).map { field in
                let text = edits[field] ?? "v\(field) r\(number)"
                let value =
                    field.isMultiple(of: 3) ? JSONValue.number(JSONNumber(Int64(number + field))) : .string(text)
                return ("Field\(field)", edits[field].map(JSONValue.string) ?? value)
            })
    }
}
