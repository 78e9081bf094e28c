import Testing

/// What happens to one record on one side.
enum TreeChange: String, Sendable {
    case none = "-"
    case update = "U"
    case delete = "D"
}

/// One case of a tree that changed on both sides.
struct TreeCase: Sendable, CustomTestStringConvertible {
    let localParent: TreeChange
    let remoteParent: TreeChange
    let localChild: TreeChange
    let remoteChild: TreeChange
    let hasChildren: Bool
    let passes: Bool
    let isLookup: Bool

    /// Reads `U D - - block`: parent here and on the service, child here and on the service, and what comes of it.
    init(_ text: String, isLookup: Bool = false) {
        let words = text.split(separator: " ").map(String.init)
        let changes = words.dropLast().map { TreeChange(rawValue: $0) ?? .none }
        localParent = changes[0]
        remoteParent = changes[1]
        hasChildren = changes.count == 4
        localChild = hasChildren ? changes[2] : .none
        remoteChild = hasChildren ? changes[3] : .none
        passes = words.last == "pass"
        self.isLookup = isLookup
        testDescription = text + (isLookup ? " lookup" : "")
    }

    let testDescription: String

    static let all =
        [
            "- - U - pass", "- - U U block", "- - U D block", "- - D - pass", "- - D U block", "- - D D pass",
            "U - - - pass", "U U - - block", "U D - - block", "U - U - pass", "U - U U block", "U - U D block",
            "U U U - block", "U U U U block", "U U U D block", "U D U - block", "U - D - pass", "U - D U block",
            "U - D D pass", "U U D - block", "U U D U block", "U U D D block", "U D D - block", "D - - - pass",
            "D U - - block", "D D - - pass", "D - U - pass", "D U U - block", "D D U - pass", "D - D - pass",
            "D U D - block", "D D D - pass", "U - pass", "U U block", "U D block", "D - pass", "D U block",
            "D D pass",
        ].map { TreeCase($0) }
        + ["U D - - block", "U D D - block", "D - - - pass", "D - U - pass", "D U - - block"].map {
            TreeCase($0, isLookup: true)
        }
}
