/// Records one measurement of one arm in one slot of one block. A row of samples.csv.
package struct Sample: Sendable, Hashable {
    package var cellID: String
    package var workload: String
    /// `name=value;name=value`.
    package var parameters: String
    package var arm: Arm
    /// The worker process that measured it.
    package var process: Int
    /// Blocks count from 0 within a cell; one block is one fresh process and one pair of each comparison.
    package var block: Int
    /// The index of the arm's turn in the block, from 0, and the order of all arms: `plain>cipher-off>cipher`.
    package var slot: Int
    package var order: String
    /// The look that the block belongs to.
    package var look: Look
    /// A warm-up: stored, never judged.
    package var isWarmUp: Bool
    /// Units of work in the sample: value / iterations is the cost of one.
    package var iterations: Int
    package var content: Content
    /// nil if nothing was measured (`unsupported`, `failed`).
    package var value: Int?
    /// The digest of the arm's answer in this block.
    package var digest: String
    /// Why nothing was measured.
    package var note: String
    /// The part of the run that measured it.
    package var shard: Shard

    /// The largest number of a sample, 11 days in nanoseconds: sums and quotients of such numbers cannot overflow.
    package static let limit = 1_000_000_000_000_000

    package enum Look: String, Sendable, Hashable {
        case first, second
    }

    package init(
        cellID: String, workload: String, parameters: String, arm: Arm, process: Int, block: Int, slot: Int,
        order: String, look: Look, isWarmUp: Bool = false,
        iterations: Int = 1, content: Content, value: Int?, digest: String = "", note: String = "",
        shard: Shard = .whole
    ) {
        self.cellID = cellID
        self.workload = workload
        self.parameters = parameters
        self.arm = arm
        self.process = process
        self.block = block
        self.slot = slot
        self.order = order
        self.look = look
        self.isWarmUp = isWarmUp
        self.iterations = iterations
        self.content = content
        self.value = value
        self.digest = digest
        self.note = note
        self.shard = shard
    }

    /// The cost of one unit of work.
    package var perUnit: Double? { value.map { Double($0) / Double(max(1, iterations)) } }
}
