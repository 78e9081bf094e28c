/// Values of one store that calls name by numbers: the first one is 1.
struct Handles<Value> {
    private var values: [Int64: Value] = [:]
    private var last: Int64 = 0

    /// All values, in no particular order.
    var all: some Collection<Value> { values.values }

    /// Keeps a value, and returns its number.
    mutating func keep(_ value: Value) -> Int64 {
        last += 1
        values[last] = value
        return last
    }

    subscript(handle: Int64) -> Value? { values[handle] }
}
