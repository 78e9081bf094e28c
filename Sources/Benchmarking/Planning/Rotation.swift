/// Says in which order the arms of a block take their turns.
///
/// Two blocks mirror each other (A B C, then C B A), and each pair of blocks begins with another arm: after 2k blocks
/// every arm was twice in every position, and drift within a block has cancelled out.
package enum Rotation {
    package static func order(of arms: [Arm], block: Int) -> [Arm] {
        guard !arms.isEmpty else {
            return []
        }
        let start = (block / 2) % arms.count
        let turned = Array(arms[start...] + arms[..<start])
        return block % 2 == 0 ? turned : turned.reversed()
    }
}
