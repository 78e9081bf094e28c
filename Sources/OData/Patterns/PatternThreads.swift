/// The places of a pattern's program that a text has led to so far: each at most once, so that a step costs no more
/// than the program is long.
struct PatternThreads {
    private let pattern: Pattern
    /// Instructions that wait for the next scalar.
    private var waiting: [Int] = []
    /// Places that the last scalar led to; what follows them without a scalar is found by `start`.
    private var reached: [Int] = [0]
    /// For each instruction the last round that saw it.
    private var seen: [Int]
    private var round = 0
    private var stack: [Int] = []

    init(_ pattern: Pattern) {
        self.pattern = pattern
        seen = Array(repeating: 0, count: pattern.program.count)
    }

    /// Follows everything that needs no scalar at the place between two of them; true where the pattern has matched.
    mutating func start(between previous: Unicode.Scalar?, and next: Unicode.Scalar?) -> Bool {
        round += 1
        waiting.removeAll(keepingCapacity: true)
        // A match may begin anywhere.
        stack.append(0)
        stack.append(contentsOf: reached)
        while let place = stack.popLast() {
            guard seen[place] != round else { continue }
            seen[place] = round
            switch pattern.program[place] {
            case .match:
                stack.removeAll()
                return true
            case .jump(let distance): stack.append(place + distance)
            case .split(let first, let second):
                stack.append(place + first)
                stack.append(place + second)
            case .start: if previous == nil { stack.append(place + 1) }
            case .end: if next == nil { stack.append(place + 1) }
            case .wordBoundary: if PatternSet.isWord(previous) != PatternSet.isWord(next) { stack.append(place + 1) }
            case .noWordBoundary: if PatternSet.isWord(previous) == PatternSet.isWord(next) { stack.append(place + 1) }
            case .scalar, .set: waiting.append(place)
            }
        }
        return false
    }

    /// Leads every waiting instruction that takes the scalar to the one behind it.
    mutating func advance(over scalar: Unicode.Scalar) {
        reached.removeAll(keepingCapacity: true)
        for place in waiting {
            let takes =
                switch pattern.program[place] {
                case .scalar(let expected): expected == scalar
                case .set(let index): pattern.sets[index].contains(scalar)
                default: false
                }
            if takes {
                reached.append(place + 1)
            }
        }
    }
}
