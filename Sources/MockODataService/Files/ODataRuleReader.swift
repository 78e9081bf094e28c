import JSONText
import MockFiles
import Soups

/// Reads one rule of a file.
struct ODataRuleReader {
    /// The names of faults that have members, and the members that they need or may have.
    private static let members: [String: [String]] = [
        "status": ["status", "body", "retryAfter", "afterApplying"], "dropBefore": [], "dropAfter": [],
        "cut": ["byte"], "shortened": ["byte"], "delay": ["milliseconds"],
        "change": ["entitySet", "key", "properties", "after"], "signal": ["name", "after"],
    ]

    private let file: FileObject

    init(_ file: FileObject) { self.file = file }

    func rule() throws(Fault) -> ODataFaultRule {
        let name = try file.required("fault")
        let simple = MockODataFault.Spoiling.allCases.map(\.rawValue) + MockODataFault.Coding.allCases.map(\.rawValue)
        guard let members = Self.members[name] ?? (simple.contains(name) ? [] : nil) else {
            throw FileObject.wrong(
                file.path("fault"), "one of " + (Self.members.keys.sorted() + simple).joined(separator: ", "))
        }
        try file.refuseOthers(than: ["fault", "call", "method", "set", "path", "part", "nth", "times"] + members)
        var rule = ODataFaultRule(try fault(name))
        rule.call = try file.word("call", MockODataCall.self)
        rule.method = try file.text("method")
        rule.set = try file.text("set")
        rule.path = try file.text("path")
        rule.part = try file.number("part")
        rule.nth = try file.number("nth") ?? 1
        rule.times = file["times"] == "always" ? nil : try file.number("times") ?? 1
        return rule
    }

    private func fault(_ name: String) throws(Fault) -> MockODataFault {
        if let spoiling = MockODataFault.Spoiling(rawValue: name) {
            return .spoiled(spoiling)
        }
        if let coding = MockODataFault.Coding(rawValue: name) {
            return .coded(coding)
        }
        switch name {
        case "status":
            return .status(
                try number("status"), try file.word("body", MockODataFault.ErrorBody.self) ?? .error,
                retryAfter: try file.number("retryAfter"), afterApplying: try file.bool("afterApplying") ?? false)
        case "dropBefore": return .dropBefore
        case "dropAfter": return .dropAfter
        case "cut": return .cut(atByte: try file.number("byte"))
        case "shortened": return .shortened(toByte: try file.number("byte"))
        case "delay": return .delay(try number("milliseconds"))
        case "change":
            let properties =
                file["properties"] == nil ? nil : JSONObject(try file.object("properties").members.map { ($0, $1) })
            return .change(
                set: try file.required("entitySet"), key: try file.required("key"), properties: properties,
                after: try file.bool("after") ?? false)
        default: return .signal(try file.required("name"), after: try file.bool("after") ?? false)
        }
    }

    private func number(_ name: String) throws(Fault) -> Int {
        guard let number = try file.number(name) else {
            throw FileObject.wrong(file.path(name), "a whole number")
        }
        return number
    }
}
