import CFloor
import CSQLite
import SQLiteAccess
import Soups

/// Lists statements to run with their values, in the order in which the store runs them.
///
/// Everything is laid out in one block of memory before the clock starts.
final class FloorScript {
    /// How many steps belong to one entry: two where an entry has a full-text row.
    let stepsOfEntry: Int
    /// Each text once.
    private(set) var statements: [String] = []
    private var indices: [ByteKey: Int] = [:]
    private var steps: [(statement: Int, first: Int, width: Int)] = []
    /// The texts and blobs, one after another; offsets become pointers when the run begins.
    private var arena: [UInt8] = []
    private var values: [(value: sq_floor_value, start: Int)] = []
    /// Memory that does not move while SQLite reads it.
    private var laidOut: Memory?

    private struct Memory {
        let bytes: UnsafeMutableRawBufferPointer
        let values: UnsafeMutableBufferPointer<sq_floor_value>
        let steps: UnsafeMutableBufferPointer<sq_floor_step>
        let texts: [UnsafeMutablePointer<CChar>]
        let names: UnsafeMutableBufferPointer<UnsafePointer<CChar>?>
    }

    init(stepsOfEntry: Int = 1) { self.stepsOfEntry = stepsOfEntry }

    /// The number of steps.
    var count: Int { steps.count }

    /// Adds a run of a statement.
    func append(_ sql: String, _ row: [SQLValue]) {
        let statement = indices[ByteKey(sql)] ?? statements.count
        if statement == statements.count {
            statements.append(sql)
            indices[ByteKey(sql)] = statement
        }
        steps.append((statement, values.count, row.count))
        for value in row {
            append(value)
        }
    }

    private func append(_ value: SQLValue) {
        var flat = sq_floor_value()
        let start = arena.count
        switch value {
        case .null:
            flat.type = SQ_NULL
        case .integer(let integer):
            flat.type = SQ_INTEGER
            flat.integer = integer
        case .real(let real):
            flat.type = SQ_FLOAT
            flat.real = real
        case .text(let bytes):
            flat.type = SQ_TEXT
            flat.count = UInt64(bytes.count)
            arena += bytes
        case .blob(let bytes):
            flat.type = SQ_BLOB
            flat.count = UInt64(bytes.count)
            arena += bytes
        }
        values.append((flat, start))
    }

    /// Lays steps and values out for C. Call it before the clock starts, and again after adding a step.
    func layOut() {
        release()
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: arena.count, alignment: 1)
        bytes.copyBytes(from: arena)
        let flat = UnsafeMutableBufferPointer<sq_floor_value>.allocate(capacity: values.count)
        for (index, entry) in values.enumerated() {
            var value = entry.value
            value.bytes = bytes.baseAddress.map { UnsafeRawPointer($0.advanced(by: entry.start)) }
            flat.initializeElement(at: index, to: value)
        }
        let laid = UnsafeMutableBufferPointer<sq_floor_step>.allocate(capacity: steps.count)
        for (index, step) in steps.enumerated() {
            let first = flat.baseAddress.map { UnsafePointer($0.advanced(by: step.first)) }
            laid.initializeElement(
                at: index,
                to: sq_floor_step(statement: Int32(step.statement), width: Int32(step.width), values: first))
        }
        let texts = statements.map { text in
            let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: text.utf8.count + 1)
            _ = copy.initialize(from: text.utf8.map { CChar(bitPattern: $0) } + [0])
            return copy.baseAddress!
        }
        let names = UnsafeMutableBufferPointer<UnsafePointer<CChar>?>.allocate(capacity: texts.count)
        _ = names.initialize(from: texts.map { UnsafePointer($0) })
        laidOut = Memory(bytes: bytes, values: flat, steps: laid, texts: texts, names: names)
    }

    /// Lends the texts of the statements and the steps; lays them out first if needed.
    func withSteps<R>(_ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<sq_floor_step>?) -> R) -> R {
        if laidOut.map({ $0.steps.count != steps.count }) ?? true {
            layOut()
        }
        return body(
            laidOut?.names.baseAddress.map { UnsafePointer($0) }, laidOut?.steps.baseAddress.map { UnsafePointer($0) })
    }

    private func release() {
        guard let memory = laidOut else { return }
        memory.bytes.deallocate()
        memory.values.deallocate()
        memory.steps.deallocate()
        memory.names.deallocate()
        for text in memory.texts {
            text.deallocate()
        }
        laidOut = nil
    }

    deinit { release() }
}
