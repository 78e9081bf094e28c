import Benchmarking
import Soups

/// The control, which must show no difference between arms: if it does, the machine was not fit to measure.
///
/// Its work touches no storage, whatever the arm is called. (The null row, one arm measured twice, is `plain-again` of
/// the retrieve cell.)
enum ControlCells: CellSource {
    static func cells(_ scope: CellScope) -> [Cell] {
        [
            Cell(
                Control.workload, revision: 1, summary: "hashes 1 MB in memory: no storage, so every ratio is 1",
                arms: [.plain, .cipherOff, .cipher], comparisons: Cell.Comparison.backends
            ) { _, workplace in
                var random = SplitMix(seed: workplace.seed)
                let bytes = (0..<131_072).flatMap { _ in withUnsafeBytes(of: random.next().littleEndian) { Array($0) } }
                var result = ""
                return Computation {
                    result = SHA256.hex(bytes)
                    return 1
                } answer: {
                    $0.add(result)
                }
            }
        ]
    }
}
