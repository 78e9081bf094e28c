import JSONText
import LocalChanges
import TestSupport
import Testing

@Suite struct ThreeWayMergeTests {
    /// What a merge gave, in a form that can be compared.
    struct Given: Equatable {
        var record: JSONValue?
        var remote: [String] = []
        var local: [String] = []
        var conflicting: [String] = []
    }

    private static func merged(
        _ base: JSONValue, _ theirs: JSONValue, _ yours: JSONValue, _ mode: MergeMode, fields: [String]? = nil,
        emptyIsNull: Bool = false
    ) -> Given {
        let merge = ThreeWayMerge(fields: fields, emptyIsNull: emptyIsNull)
        let outcome = merge.outcome(
            base: base.object, theirs: theirs.object, yours: yours.object ?? JSONObject(), mode: mode)
        switch outcome {
        case .merged(let record, let changes):
            return Given(
                record: .object(record), remote: changes.remote, local: changes.local, conflicting: changes.conflicting)
        case .conflict(let report):
            let changes = report.changes
            return Given(remote: changes.remote, local: changes.local, conflicting: changes.conflicting)
        }
    }

    /// The client changes A and B, the server B and C.
    @Test(
        arguments: [
            (.overwrite, Given(record: ["A": 2, "B": 2, "C": 1])),
            (
                .acceptYours,
                Given(record: ["A": 2, "B": 2, "C": 3], remote: ["B", "C"], local: ["A", "B"], conflicting: ["B"])
            ),
            (.failIfConflict, Given(record: nil, remote: ["B", "C"], local: ["A", "B"], conflicting: ["B"])),
            (.failIfChanged, Given(record: nil, remote: ["B", "C"], local: ["A", "B"], conflicting: ["B"])),
        ] as [(MergeMode, Given)])
    func `each mode treats changes of both sides in its way`(mode: MergeMode, given: Given) {
        let found = Self.merged(
            ["A": 1, "B": 1, "C": 1], ["A": 1, "B": 3, "C": 3], ["A": 2, "B": 2, "C": 1], mode, fields: ["A", "B", "C"])
        #expect(found == given)
    }

    /// The steps of the guide's conflict tutorial.
    @Test func `the tutorial gives what the guide says`() {
        let fields = ["Id", "Name", "Industry"]
        func step(
            _ base: (String, String), _ theirs: (String, String), _ yours: (String, String), _ mode: MergeMode
        ) -> Given {
            func record(_ pair: (String, String)) -> JSONValue {
                ["Name": .string(pair.0), "Industry": .string(pair.1)]
            }
            return Self.merged(record(base), record(theirs), record(yours), mode, fields: fields)
        }
        let acme2 = ("Acme2", "Software")
        #expect(
            step(("Acme", "Software"), ("Acme", "Software"), acme2, .overwrite).record
                == ["Name": "Acme2", "Industry": "Software"])
        #expect(
            step(acme2, ("Acme2", "Electronics"), ("Acme3", "Software"), .failIfChanged)
                == Given(remote: ["Industry"], local: ["Name"]))
        #expect(
            step(acme2, ("Acme2", "Electronics"), ("Acme3", "Software"), .failIfConflict).record
                == ["Name": "Acme3", "Industry": "Electronics"])
        let report = Given(remote: ["Name", "Industry"], local: ["Name"], conflicting: ["Name"])
        for mode in [MergeMode.failIfChanged, .failIfConflict] {
            #expect(
                step(("Acme3", "Electronics"), ("NewAcme", "Services"), ("Acme4", "Electronics"), mode) == report)
        }
        #expect(
            step(("Acme3", "Electronics"), ("NewAcme", "Services"), ("Acme4", "Electronics"), .acceptYours).record
                == ["Name": "Acme4", "Industry": "Services"])
    }

    @Test func `the same change on both sides is no conflict`() {
        #expect(
            Self.merged(["A": 1], ["A": 2.0], ["A": 2], .failIfConflict)
                == Given(record: ["A": 2], remote: ["A"], local: ["A"]))
        #expect(Self.merged(["A": 1], ["A": 2], ["A": 2], .failIfChanged).record == nil)
    }

    @Test func `null and a missing member are the same`() {
        #expect(Self.merged(["A": nil], [:], ["B": nil], .failIfChanged) == Given(record: ["B": nil]))
        #expect(
            Self.merged(["A": ""], ["A": nil], [:], .failIfConflict)
                == Given(record: ["A": nil], remote: ["A"], local: ["A"]))
        #expect(Self.merged(["A": ""], ["A": nil], [:], .failIfChanged, emptyIsNull: true) == Given(record: [:]))
    }

    @Test func `a member that the server removed is removed`() {
        #expect(
            Self.merged(["A": 1, "B": 1], ["B": 1], ["A": 1, "B": 2], .failIfConflict)
                == Given(record: ["B": 2], remote: ["A"], local: ["B"]))
        #expect(Self.merged(["A": 1], ["A": nil], ["A": 1], .acceptYours).record == ["A": nil])
    }

    @Test func `members that the server added follow yours`() {
        let outcome = ThreeWayMerge().outcome(
            base: JSONObject(), theirs: JSONObject([("Z", 1), ("Y", 2)]), yours: JSONObject([("X", 3)]),
            mode: .acceptYours)
        guard case .merged(let record, let changes) = outcome else {
            Issue.record("accept-yours never fails")
            return
        }
        #expect(record.names == ["X", "Z", "Y"])
        #expect(changes.remote == ["Z", "Y"] && changes.local == ["X"])
    }

    @Test func `only listed fields count`() {
        #expect(
            Self.merged(["A": 1, "B": 1], ["A": 2, "B": 2], ["A": 1, "B": 3], .failIfConflict, fields: ["A"])
                == Given(record: ["A": 2, "B": 3], remote: ["A"]))
        #expect(Self.merged(["A": 1], ["A": 2], ["A": 1], .failIfConflict, fields: []) == Given(record: ["A": 1]))
        #expect(Self.merged(["A": 1], ["A": 2], ["A": 1], .acceptYours, fields: ["A", "A"]).remote == ["A"])
    }

    @Test func `a dotted name of the list is a path, unless the record has a member of that name`() {
        func merged(_ theirs: JSONObject) -> (JSONObject, MergeChanges)? {
            let outcome = ThreeWayMerge(fields: ["o.a", "o.b", "x.y", "p.q"]).outcome(
                base: ["o": ["a": 1, "b": 1], "x.y": 1, "p": 5], theirs: theirs,
                yours: ["o": ["a": 1, "b": 2, "c": 3], "x.y": 1, "p": 5], mode: .acceptYours)
            guard case .merged(let record, let changes) = outcome else { return nil }
            return (record, changes)
        }
        let changed = merged(["o": ["a": 7, "b": 8], "x.y": 9, "p": ["q": 1]])
        #expect(changed?.0["o"] == ["a": 7, "b": 2, "c": 3] && changed?.0["x.y"] == 9 && changed?.0["p"] == ["q": 1])
        #expect(changed?.1.remote == ["o.a", "o.b", "x.y", "p.q"] && changed?.1.conflicting == ["o.b"])
        let gone = merged([:])
        #expect(gone?.0["o"] == ["b": 2, "c": 3] && gone?.0["x.y"] == nil && gone?.0["p"] == 5)
        #expect(gone?.1.remote == ["o.a", "o.b", "x.y"])
    }

    @Test func `without a list reserved fields do not count`() {
        let base: JSONValue = ["A": 1, "__local__": false, "attributes": ["type": "T"], "_soupEntryId": 1]
        let theirs: JSONValue = ["A": 1, "attributes": ["type": "T", "url": "/x"]]
        let yours: JSONValue = ["A": 1, "__local__": true, "_soupEntryId": 1, "_soupLastModifiedDate": 5]
        #expect(Self.merged(base, theirs, yours, .failIfChanged) == Given(record: yours))
    }

    @Test func `without a base yours is taken`() {
        for mode in MergeMode.allCases {
            #expect(Self.merged(nil, ["A": 2], ["A": 1], mode) == Given(record: ["A": 1]))
            #expect(Self.merged(nil, nil, ["A": 1], mode) == Given(record: ["A": 1]))
        }
    }

    @Test func `a record that is gone is a conflict unless it is overwritten`() {
        for mode in MergeMode.allCases {
            let found = Self.merged(["A": 1, "B": 1], nil, ["A": 2, "B": 1], mode)
            #expect(
                found
                    == (mode == .overwrite
                        ? Given(record: ["A": 2, "B": 1])
                        : Given(remote: ["A", "B"], local: ["A"], conflicting: ["A"])))
        }
    }

    @Test func `names are compared by their bytes`() {
        // Two spellings of the same letter.
        #expect(
            Self.merged(["\u{e9}": 1], ["\u{e9}": 1, "e\u{301}": 2], ["\u{e9}": 1], .acceptYours).remote
                == ["e\u{301}"])
    }

    @Test(arguments: [true, false]) func `every field of random records has the value that the definition says`(
        isListed: Bool
    ) {
        var random = SeededRandom(seed: 20)
        let names = ["A", "B", "C", "D", "E", "_soupEntryId"]
        /// Members in any order, some of them twice: the last one counts.
        func draw() -> JSONValue {
            var members: [(String, JSONValue)] = []
            for name in names.shuffled(using: &random) + (Bool.random(using: &random) ? ["A", "C"] : []) {
                switch Int.random(in: 0..<5, using: &random) {
                case 0: break
                case 1: members.append((name, .null))
                case 2: members.append((name, ""))
                default: members.append((name, .number(JSONNumber(Int64.random(in: 0..<3, using: &random)))))
                }
            }
            return .object(JSONObject(members))
        }
        func value(_ record: JSONValue, _ name: String) -> JSONValue { record[name] ?? .null }
        for _ in 0..<3_000 {
            let (base, theirs, yours) = (draw(), draw(), draw())
            let found = Self.merged(base, theirs, yours, .acceptYours, fields: isListed ? names : nil)
            let members = [base, theirs, yours].flatMap { $0.object?.names ?? [] }
            var fields: [String] = []
            for name in isListed ? names : members where !fields.contains(name) {
                if isListed || name != "_soupEntryId" {
                    fields.append(name)
                }
            }
            let remote = fields.filter { value(base, $0) != value(theirs, $0) }
            let local = fields.filter { value(base, $0) != value(yours, $0) }
            #expect(found.remote == remote && found.local == local, "seed 20: \(base) \(theirs) \(yours)")
            for name in names {
                let isTaken = remote.contains(name) && !local.contains(name)
                let expected = isTaken ? value(theirs, name) : value(yours, name)
                #expect(value(found.record ?? .null, name) == expected, "seed 20: \(base) \(theirs) \(yours)")
            }
        }
    }
}
