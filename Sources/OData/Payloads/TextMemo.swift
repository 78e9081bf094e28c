/// Remembers a value for each of the texts that entries share, by their numbers. A value is found when it is first
/// asked for.
struct TextMemo<Value> {
    private var values: [Value?] = []

    /// The value of a text that was asked for before.
    func known(_ number: Int32) -> Value? {
        let index = Int(number)
        return index < values.count ? values[index] : nil
    }

    mutating func value(of number: Int32, _ find: () -> Value) -> Value {
        if let known = known(number) {
            return known
        }
        let index = Int(number)
        if index >= values.count {
            values.append(contentsOf: repeatElement(nil, count: index + 1 - values.count))
        }
        let found = find()
        values[index] = found
        return found
    }

    mutating func removeAll() { values.removeAll(keepingCapacity: true) }
}
