/// The faults that strike one request, sorted by when they act.
struct FaultPlan {
    /// Those before the request is applied.
    private(set) var before: [MockFault] = []
    /// What is answered in place of applying the request; the first one counts.
    private(set) var instead: MockFault?
    private(set) var refusals: [RecordRefusal] = []
    /// Those after it, on what the request changed and on its answer, in the order of the rules.
    private(set) var after: [MockFault] = []
    /// Their names, for the log.
    private(set) var names: [String] = []

    init(_ faults: [MockFault]) {
        for fault in faults {
            names.append(fault.name)
            switch fault {
            case .status(_, _, false), .dropBefore, .timeOut(false): instead = instead ?? fault
            case .expiredCursors, .clock, .change(_, _, _, false), .signal(_, false): before.append(fault)
            case .refuse(let refusal): refusals.append(refusal)
            default: after.append(fault)
            }
        }
    }

    /// The signals among some faults.
    static func signals(_ faults: [MockFault]) -> [String] {
        faults.compactMap { fault in
            if case .signal(let name, _) = fault {
                name
            } else {
                nil
            }
        }
    }
}

extension MockFault {
    /// The name, as in a file of rules.
    var name: String {
        switch self {
        case .status: "status"
        case .expiredCursors: "expiredCursors"
        case .broken(let breakage): breakage.rawValue
        case .dropBefore: "dropBefore"
        case .dropAfter: "dropAfter"
        case .timeOut: "timeOut"
        case .delay: "delay"
        case .totalSize: "totalSize"
        case .change: "change"
        case .clock: "clock"
        case .refuse: "refuse"
        case .rows(let rows): rows.rawValue
        case .withoutId: "withoutId"
        case .spoil: "spoil"
        case .signal: "signal"
        }
    }
}
