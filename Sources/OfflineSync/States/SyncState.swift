public import JSONText
public import Soups

/// A sync: what it is, as its row in the soup `syncs_soup` says, and what became of it.
///
/// A value: it shows the numbers of one moment.
public struct SyncState: Sendable {
    /// The id: that of its row.
    public let id: Int64
    /// The direction.
    public let type: SyncType
    /// The name, unique in its store; `nil` for a sync without a name.
    public let name: String?
    /// The soup of the records.
    public let soupName: String
    /// The definition of the target.
    public let target: JSONObject
    /// The options.
    public let options: SyncOptions
    /// What became of it.
    public internal(set) var status: SyncStatus
    /// How much of the last run is done, from 0 to 100.
    public internal(set) var progress: Int
    /// How many records the last run had before it; -1 if that is not known.
    public internal(set) var totalSize: Int
    /// The newest date of modification, in milliseconds since 1970, up to which every record was delivered; -1 if there
    /// is none. The next run of a target that can asks for what is newer.
    public internal(set) var maxTimeStamp: Int64
    /// The time from which the next run asks, if that is before the stamp: parts of trees that were left have changed
    /// since. Nil without any.
    var leftBound: Int64?
    /// The numbers of the soups of the last run; nil before the first one, and in rows of former versions.
    var soupIds: [Int64]?
    /// When the last run was asked for, in milliseconds since 1970; 0 before.
    public internal(set) var startTime: Int64
    /// When the last run ended; 0 before.
    public internal(set) var endTime: Int64
    /// Why the last run failed; empty if it did not. It may quote the service.
    public internal(set) var error: String
    /// The code of that failure; `nil` if the last run did not fail, or its row has no code.
    public internal(set) var errorCode: Fault.Code?
    /// The failure of the last run of this process, without a word of the service; not stored.
    public internal(set) var failure: Fault?
    /// What the last run of this process did; not stored.
    public internal(set) var summary = SyncSummary()
    /// The row as it was read; members that this version does not know are written again.
    private var row: JSONObject

    /// A sync that is not stored yet.
    init(
        type: SyncType, name: String?, soupName: String, target: JSONObject, options: SyncOptions, status: SyncStatus
    ) {
        id = 0
        self.type = type
        self.name = name
        self.soupName = soupName
        self.target = target
        self.options = options
        self.status = status
        progress = 0
        totalSize = -1
        maxTimeStamp = -1
        startTime = 0
        endTime = 0
        error = ""
        row = JSONObject()
    }

    /// Reads a row. Forms may differ, because other implementations write such rows too: numbers may have a fraction,
    /// and most members may be missing. The defaults of the target are filled in.
    ///
    /// - Throws: `invalidSync`, which names the key.
    init(row: JSONObject) throws(Fault) {
        let reader = DefinitionReader(row)
        id = try reader.integer("_soupEntryId") ?? 0
        type = try reader.requiredChoice("type", SyncType.self)
        name = try reader.text("name")
        soupName = try reader.text("soupName") ?? ""
        target = try Self.target(reader.requiredObject("target"), type)
        options = try SyncOptions(json: reader.object("options") ?? JSONObject())
        status = try reader.requiredChoice("status", SyncStatus.self)
        progress = Int(clamping: try reader.integer("progress") ?? 0)
        totalSize = Int(clamping: try reader.integer("totalSize") ?? -1)
        maxTimeStamp = try reader.integer("maxTimeStamp") ?? -1
        leftBound = try reader.integer("leftBound")
        soupIds = row["soupIds"]?.array.map { ids in ids.map { $0.int64 ?? 0 } }
        startTime = try reader.integer("startTime") ?? 0
        endTime = try reader.integer("endTime") ?? 0
        error = try reader.text("error") ?? ""
        errorCode = try reader.text("errorCode").map { Fault.Code(rawValue: $0) }
        self.row = row
        if status != .failed {
            errorCode = nil
        }
    }

    /// The definition of a target as it is written again. One that can be stored but not run is kept as it is: a target
    /// of the app, which may add it later, and a kind that only other implementations have.
    private static func target(_ json: JSONObject, _ type: SyncType) throws(Fault) -> JSONObject {
        if type == .down, let kind = json["type"]?.string, kind == "briefcase" {
            return json
        }
        do throws(Fault) {
            return try TargetRegistry().normalized(json, type: type)
        } catch {
            throw Fault(
                .invalidSync, "the target of a sync cannot be read: \(error.message)",
                context: [.path(error.firstPath ?? "target")])
        }
    }
}

extension SyncState {
    /// Returns the state of a sync whose last run is done.
    ///
    /// - Throws: the code and the text of the failure if it failed; `closed` if it was stopped or has not run.
    @discardableResult
    public func requireDone() throws(Fault) -> SyncState {
        switch status {
        case .done: return self
        case .failed:
            throw failure
                ?? Fault(
                    errorCode ?? .noAnswer, "the sync \(id) failed; its row says why", context: [.soup(soupName)])
        case .new, .running, .stopped:
            throw Fault(.closed, "the sync \(id) is not done; run it again", context: [.soup(soupName)])
        }
    }

    /// The row as it is stored, with the members of rows that this version does not know.
    public var json: JSONObject {
        var json = row
        json["type"] = .string(type.rawValue)
        if let name {
            json["name"] = .string(name)
        }
        json["soupName"] = .string(soupName)
        json["target"] = .object(target)
        json["options"] = .object(options.json)
        json["status"] = .string(status.rawValue)
        json["progress"] = .number(JSONNumber(Int64(progress)))
        json["totalSize"] = .number(JSONNumber(Int64(totalSize)))
        json["maxTimeStamp"] = .number(JSONNumber(maxTimeStamp))
        json["leftBound"] = leftBound.map { .number(JSONNumber($0)) }
        json["soupIds"] = soupIds.map { ids in .array(ids.map { .number(JSONNumber($0)) }) }
        json["startTime"] = .number(JSONNumber(startTime))
        json["endTime"] = .number(JSONNumber(endTime))
        json["error"] = .string(error)
        json["errorCode"] = errorCode.map { .string($0.rawValue) }
        return json
    }

    /// The soups that it names: its own, and those of its target and of the parts of trees.
    var soupNames: [String] {
        let parts = [target, target["parent"]?.object, target["children"]?.object]
        return [soupName] + parts.compactMap { $0?["soupName"]?.string }
    }

    /// Prepares the state for a run that is queued.
    mutating func begin(at time: Int64) {
        status = .running
        progress = 0
        totalSize = -1
        startTime = time
        endTime = 0
        error = ""
        errorCode = nil
        failure = nil
        summary = SyncSummary()
    }

    /// Lets the next run ask from a time at the latest.
    mutating func keep(bound: Int64?) {
        guard let bound else { return }
        leftBound = min(leftBound ?? bound, bound)
    }

    /// Ends a run that was not done.
    mutating func end(_ status: SyncStatus, at time: Int64) {
        self.status = status
        endTime = time
    }
}
