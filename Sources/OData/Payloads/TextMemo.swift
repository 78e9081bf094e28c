/// Remembers a value for each of the texts that entries share, by their numbers. A value is found when it is first
/// asked for.
struct TextMemo<Value> {
    private var values: [Value?] = []

    mutating func value(of number: Int32, _ find: () -> Value) -> Value {
        let index = Int(number)
        if index >= values.count {
            values.append(contentsOf: repeatElement(nil, count: index + 1 - values.count))
        }
        if let known = values[index] {
            return known
        }
        let found = find()
        values[index] = found
        return found
    }

    mutating func removeAll() { values.removeAll(keepingCapacity: true) }
}
