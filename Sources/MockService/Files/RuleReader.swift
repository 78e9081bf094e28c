import JSONText
import MockFiles
import Soups

/// Reads one rule of a file.
struct RuleReader {
    /// The names of faults, as `fault` gives them, and the members that they need or may have.
    private static let members: [String: [String]] = [
        "status": ["status", "code", "html", "afterApplying"], "expiredCursors": [], "notJSON": [], "cutJSON": [],
        "otherShape": [], "html": [], "shortBody": [], "dropBefore": [], "dropAfter": [],
        "timeOut": ["afterApplying"], "delay": ["milliseconds"], "totalSize": ["value"],
        "change": ["type", "id", "fields", "after"], "clock": ["milliseconds"],
        "refuse": ["positions", "ids", "operation", "status", "code", "message"], "oneShort": [], "oneMore": [],
        "reversed": [], "nullAmong": [], "withoutId": [], "spoil": ["position", "field", "value"],
        "signal": ["name", "after"],
    ]

    private let file: FileObject

    init(_ file: FileObject) { self.file = file }

    func rule() throws(Fault) -> FaultRule {
        let name = try file.required("fault")
        guard let members = Self.members[name] else {
            throw FileObject.wrong(file.path("fault"), "one of " + Self.members.keys.sorted().joined(separator: ", "))
        }
        let filters = ["fault", "call", "method", "path", "object", "record", "nth", "times"]
        try file.refuseOthers(than: filters + members)
        var rule = FaultRule(try fault(name))
        rule.call = try file.word("call", MockCall.self)
        rule.method = try file.text("method")
        rule.path = try file.text("path")
        rule.object = try file.text("object")
        rule.record = try file.text("record")
        rule.nth = try file.number("nth") ?? 1
        rule.times = file["times"] == "always" ? nil : try file.number("times") ?? 1
        return rule
    }

    private func fault(_ name: String) throws(Fault) -> MockFault {
        if let breakage = MockFault.Breakage(rawValue: name) {
            return .broken(breakage)
        }
        if let rows = MockFault.Rows(rawValue: name) {
            return .rows(rows)
        }
        switch name {
        case "status":
            let code = try file.text("code").map(MockFault.ErrorBody.code)
            return .status(
                try number("status"), try file.bool("html") == true ? .html : code ?? .empty,
                afterApplying: try file.bool("afterApplying") ?? false)
        case "expiredCursors": return .expiredCursors
        case "dropBefore": return .dropBefore
        case "dropAfter": return .dropAfter
        case "timeOut": return .timeOut(afterApplying: try file.bool("afterApplying") ?? false)
        case "delay": return .delay(try number("milliseconds"))
        case "totalSize": return .totalSize(file["value"])
        case "change":
            let fields = file["fields"] == nil ? nil : JSONObject(try file.object("fields").members.map { ($0, $1) })
            return .change(
                type: try file.required("type"), id: try file.required("id"), fields: fields,
                after: try file.bool("after") ?? false)
        case "clock": return .clock(by: Int64(try number("milliseconds")))
        case "refuse": return .refuse(try refusal())
        case "withoutId": return .withoutId
        case "spoil":
            return .spoil(
                record: try file.number("position") ?? 0, field: try file.required("field"), value: file["value"])
        default: return .signal(try file.required("name"), after: try file.bool("after") ?? false)
        }
    }

    private func refusal() throws(Fault) -> RecordRefusal {
        var refusal = RecordRefusal()
        if file["positions"] != nil {
            refusal.positions = try file.array("positions").map { (element) throws(Fault) in
                guard let position = element.int64.flatMap({ Int(exactly: $0) }) else {
                    throw FileObject.wrong(file.path("positions"), "an array of whole numbers")
                }
                return position
            }
        }
        if file["ids"] != nil {
            refusal.ids = try file.array("ids").map { (element) throws(Fault) in
                guard let id = element.string else {
                    throw FileObject.wrong(file.path("ids"), "an array of texts")
                }
                return id
            }
        }
        refusal.operation = try file.word("operation", RecordRefusal.Operation.self)
        refusal.status = try file.number("status") ?? refusal.status
        refusal.code = try file.text("code") ?? refusal.code
        refusal.message = try file.text("message") ?? refusal.message
        return refusal
    }

    private func number(_ name: String) throws(Fault) -> Int {
        guard let number = try file.number(name) else {
            throw FileObject.wrong(file.path(name), "a whole number")
        }
        return number
    }
}
