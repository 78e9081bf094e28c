import FoundationTypes

// Dates and bytes in the forms that are not one simple value.
extension ValueEncoder {
    /// The number for a date; nil if dates are not written as numbers.
    func seconds(of date: Date) -> Double? {
        switch state.options.dates {
        case .secondsSinceReferenceDate: date.timeIntervalSinceReferenceDate
        case .seconds: date.timeIntervalSince1970
        case .milliseconds: date.timeIntervalSince1970 * 1000
        case .iso8601, .custom: nil
        }
    }

    /// Writes a date as a text, or by the caller's own function. Returns whether it was written at the end of the node.
    func writeCustom(_ date: Date) throws -> Bool {
        if case .custom(let encode, _) = state.options.dates {
            try encode(date, inPlace())
        } else {
            node.write(date.formatted(.iso8601))
        }
        return true
    }

    /// Writes bytes as an array, or by the caller's own function. Returns whether they were written at the end of the
    /// node.
    func writeCustom(_ data: Data) throws -> Bool {
        if case .custom(let encode, _) = state.options.data {
            try encode(data, inPlace())
        } else {
            node.bytes.append(UInt8(ascii: "["))
            for (index, byte) in data.enumerated() {
                if index > 0 {
                    node.bytes.append(UInt8(ascii: ","))
                }
                node.write(byte)
            }
            node.bytes.append(UInt8(ascii: "]"))
        }
        return true
    }

    /// An encoder whose value is put where the node ends now.
    private func inPlace() -> ValueEncoder {
        let inner = state.take()
        inner.depth = node.depth
        node.children.append((node.bytes.count, inner))
        return ValueEncoder(state: state, node: inner, parent: path, key: nil)
    }
}
