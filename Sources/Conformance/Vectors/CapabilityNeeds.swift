import JSONText

/// Finds the capabilities that calls need, from their names and arguments.
struct CapabilityNeeds {
    private var found: Set<Capability> = []
    private var usesFullText = false

    /// The capabilities that the calls need. Full text needs `fts5`, unless the calls or the case ask for FTS4.
    func capabilities(named: Set<Capability>) -> Set<Capability> {
        let asksForFTS4 = found.contains(.fts4) || named.contains(.fts4)
        return usesFullText && !asksForFTS4 ? found.union([.fts5]) : found
    }

    mutating func add(_ call: VectorCall) {
        found.formUnion(CallSignature.of(call.name)?.capabilities ?? [])
        let arguments = call.arguments
        addStore(arguments)
        if arguments["querySpec"]?["queryType"]?.string == "smart" {
            found.insert(.smartSQL)
        }
        addIndexes(arguments["indexSpecs"])
        for soup in arguments["config"]?["soups"]?.array ?? [] {
            addIndexes(soup["indexes"])
        }
        let features = arguments["soupSpec"]?["features"]?.array ?? []
        if features.contains(where: { $0.string == "externalStorage" }) {
            found.insert(.externalStorage)
        }
        if call.name == "reopenStore" {
            addReopening(arguments)
        }
        if call.name == "store.backup", arguments["newKey"]?.string?.isEmpty == false {
            found.insert(.encryption)
        }
        if call.name == "store.restore", arguments["key"]?.string?.isEmpty == false {
            found.insert(.encryption)
        }
        if CallName.isOData(call.name), Self.isGiven(arguments["metadata"]) {
            found.insert(.metadata)
        }
        if call.name == "odata.parsePayload" {
            addPayload(arguments)
        }
        for inner in Self.innerCalls(of: call) {
            add(inner)
        }
    }

    /// The calls that a call makes besides what it does itself.
    private static func innerCalls(of call: VectorCall) -> [VectorCall] {
        let calls: [JSONValue]
        switch call.name {
        case "atOnce": calls = call.arguments["calls"]?.array ?? []
        case "store.awaitChanges", "store.awaitResult": calls = [.object(call.arguments)]
        default: calls = []
        }
        return calls.compactMap { inner in
            inner["call"]?.string.map { VectorCall(name: $0, arguments: inner["args"]?.object ?? JSONObject()) }
        }
    }

    /// A payload needs the capability of its format. JSON means verbose JSON before version 3, or where the type says
    /// so.
    private mutating func addPayload(_ arguments: JSONObject) {
        let type = (arguments["contentType"]?.string ?? "").lowercased()
        let version = arguments["version"]?.string ?? "4.0"
        if type.contains("xml") {
            found.insert(.atom)
        } else if type.contains("json") {
            let isVerbose = type.contains("verbose") || version == "1.0" || version == "2.0"
            found.insert(isVerbose ? .verboseJSON : .json)
        }
    }

    private mutating func addStore(_ arguments: JSONObject) {
        if Self.isGiven(arguments["storeName"]) {
            found.insert(.stores)
        }
        if arguments["isGlobalStore"]?.bool == true {
            found.insert(.globalStores)
        }
    }

    private mutating func addIndexes(_ specs: JSONValue?) {
        for spec in specs?.array ?? [] {
            switch spec["type"]?.string {
            case "json1": found.insert(.json1)
            case "full_text": usesFullText = true
            default: break
            }
        }
    }

    private mutating func addReopening(_ arguments: JSONObject) {
        if Self.isGiven(arguments["key"]) {
            found.insert(.encryption)
        }
        if Self.isGiven(arguments["options"]?["permissivePaths"]) {
            found.insert(.permissivePaths)
        }
        if Self.isGiven(arguments["options"]?["fullTextIndexes"]) {
            found.insert(.fullTextIndexes)
        }
        if Self.isGiven(arguments["options"]?["readOnly"]) {
            found.insert(.readOnly)
        }
        switch arguments["options"]?["fullTextVersion"] {
        case .string("fts4"): found.insert(.fts4)
        case let version? where version.int64 == 4: found.insert(.fts4)
        default: break
        }
    }

    /// Whether an argument is there. Null means the same as a missing one.
    private static func isGiven(_ value: JSONValue?) -> Bool { value.map { !$0.isNull } ?? false }
}
