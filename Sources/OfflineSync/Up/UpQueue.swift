/// The rows of a page that wait for their turn, and what is known of them.
struct UpQueue: Sendable {
    /// The rows that wait longest: a row with their id was sent before them.
    private var waiting: [Int64] = []
    private var rows: ArraySlice<Int64>
    /// What the questions for dates have decided; a row without a verdict is sent.
    var verdicts: [Int64: FreshnessVerdict] = [:]
    /// The rows that need a question of their own.
    var unasked: Set<Int64> = []

    init(rows: ArraySlice<Int64>) { self.rows = rows }

    var isEmpty: Bool { waiting.isEmpty && rows.isEmpty }
    var count: Int { waiting.count + rows.count }
    var first: Int64? { waiting.first ?? rows.first }

    subscript(number: Int) -> Int64 {
        number < waiting.count ? waiting[number] : rows[rows.startIndex + number - waiting.count]
    }

    /// The rows that are asked about before the next batch.
    var next: [Int64] { waiting.isEmpty ? Array(rows.prefix(1)) : waiting }

    /// Takes the first rows out; some of them wait further.
    mutating func drop(_ count: Int, waiting further: [Int64]) {
        let fromWaiting = min(count, waiting.count)
        rows = rows.dropFirst(count - fromWaiting)
        waiting = further + waiting.dropFirst(fromWaiting)
    }
}
