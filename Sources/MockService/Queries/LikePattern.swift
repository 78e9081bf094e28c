/// The pattern of `like`: `%` matches any text, `_` one character, and after a backslash both match themselves.
struct LikePattern: Sendable {
    enum Unit: Equatable, Sendable {
        case anyText
        case anyCharacter
        case character(Unicode.Scalar)
    }

    let units: [Unit]

    /// Whether a folded text matches. Takes the product of both lengths at worst.
    func matches(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        var unit = 0
        var index = 0
        // Where to go on if the characters after the last `%` do not match.
        var retry: (unit: Int, index: Int)?
        while index < scalars.count {
            switch unit < units.count ? units[unit] : nil {
            case .anyText:
                retry = (unit, index)
                unit += 1
            case .anyCharacter:
                unit += 1
                index += 1
            case .character(scalars[index]):
                unit += 1
                index += 1
            default:
                guard let last = retry else { return false }
                unit = last.unit + 1
                index = last.index + 1
                retry = (last.unit, index)
            }
        }
        return units[unit...].allSatisfy { $0 == .anyText }
    }
}
