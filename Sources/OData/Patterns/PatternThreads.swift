/// The instructions of a pattern that the text so far has reached. Each is listed at most once, so a step costs at most
/// the length of the program.
struct PatternThreads {
    private let pattern: Pattern
    /// The instructions that must match the next scalar.
    private var waiting: [Int] = []
    /// The instructions that the last scalar led to. `start` follows those that do not consume a scalar.
    private var reached: [Int] = [0]
    /// For each instruction, the last round in which it was reached.
    private var seen: [Int]
    private var round = 0
    private var stack: [Int] = []

    /// The number of instructions that the last scalar met.
    var count: Int { waiting.count }

    init(_ pattern: Pattern) {
        self.pattern = pattern
        seen = Array(repeating: 0, count: pattern.program.count)
    }

    /// Follows all instructions that do not consume a scalar, at the boundary between two scalars. Returns true if the
    /// pattern has matched.
    mutating func start(between previous: Unicode.Scalar?, and next: Unicode.Scalar?) -> Bool {
        round += 1
        waiting.removeAll(keepingCapacity: true)
        // A match may begin anywhere.
        stack.append(0)
        for index in reached {
            stack.append(index)
        }
        while let index = stack.popLast() {
            guard seen[index] != round else { continue }
            seen[index] = round
            switch pattern.program[index] {
            case .match:
                stack.removeAll()
                return true
            case .jump(let distance): stack.append(index + distance)
            case .split(let first, let second):
                stack.append(index + first)
                stack.append(index + second)
            case .start: if previous == nil { stack.append(index + 1) }
            case .end: if next == nil { stack.append(index + 1) }
            case .wordBoundary: if PatternSet.isWord(previous) != PatternSet.isWord(next) { stack.append(index + 1) }
            case .noWordBoundary: if PatternSet.isWord(previous) == PatternSet.isWord(next) { stack.append(index + 1) }
            case .scalar, .set: waiting.append(index)
            }
        }
        return false
    }

    /// Advances every waiting instruction that matches the scalar to the instruction after it.
    mutating func advance(over scalar: Unicode.Scalar) {
        reached.removeAll(keepingCapacity: true)
        for index in waiting {
            let takes =
                switch pattern.program[index] {
                case .scalar(let expected): expected == scalar
                case .set(let index): pattern.sets[index].contains(scalar)
                default: false
                }
            if takes {
                reached.append(index + 1)
            }
        }
    }
}
