/// The parts of a key as text: `1`, or `A=1,B='x'`. Written piece by piece, so that no text between is made.
struct KeyText {
    private(set) var text = ""

    /// Appends a part.
    ///
    /// - Parameter name: The name of the part; nil for the only part of a declared key.
    mutating func append(_ name: String?, _ value: String) {
        if !text.isEmpty {
            text += ","
        }
        if let name {
            text += name
            text += "="
        }
        text += value
    }
}
