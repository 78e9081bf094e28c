import CFloor
import CSQLite
import Soups

/// Holds the values for a run of the floor in one block of memory, laid out before the clock starts.
final class FloorRows {
    /// The number of values in a row.
    let width: Int
    private(set) var count = 0
    /// The texts and blobs, one after another; offsets become pointers when the run begins.
    private var arena: [UInt8] = []
    private var values: [(value: sq_floor_value, start: Int)] = []
    /// Memory that does not move while SQLite reads it.
    private var laidOut: (bytes: UnsafeMutableRawBufferPointer, values: UnsafeMutableBufferPointer<sq_floor_value>)?

    init(width: Int) { self.width = width }

    /// Adds a row. A row of another width is a programming error.
    func append(_ row: [SQLValue]) {
        precondition(row.count == width, "a row has \(row.count) values instead of \(width)")
        for value in row {
            append(value)
        }
        count += 1
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

    /// Lays the values out for C. Call it before the clock starts, and again after adding a row.
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
        laidOut = (bytes, flat)
    }

    /// Lends the values; lays them out first if needed.
    func withValues<R>(_ body: (UnsafePointer<sq_floor_value>?) -> R) -> R {
        if laidOut.map({ $0.values.count != values.count }) ?? true {
            layOut()
        }
        return body(laidOut?.values.baseAddress.map { UnsafePointer($0) })
    }

    private func release() {
        laidOut?.bytes.deallocate()
        laidOut?.values.deallocate()
        laidOut = nil
    }

    deinit { release() }
}
