import Soups

/// Compares what a fault says of itself in several ways.
enum FaultReadings {
    /// The fault; or another one if its description lacks its code or its offset or has a long name in full, if there is
    /// no advice, or if it is not said to be retryable exactly where something else was in the way.
    static func checked(_ fault: Fault) -> Fault {
        let description = fault.description
        let place = fault.offset.map { "at byte \($0)" }
        guard description.hasPrefix(fault.code.rawValue + ": "), place.map({ description.contains($0) }) ?? true,
            !longNames(in: fault).contains(where: { description.contains($0) })
        else {
            return EntryReadings.disagreement("in a description")
        }
        guard fault.code.advice != nil, fault.isRetryable == [.busy, .suspended, .conflict].contains(fault.code) else {
            return EntryReadings.disagreement("as advice")
        }
        return fault
    }

    /// The names of more than 100 letters that are not in the message.
    private static func longNames(in fault: Fault) -> [String] {
        let names = fault.context.compactMap { fact -> String? in
            switch fact {
            case .soup(let name), .path(let name): name
            default: nil
            }
        }
        return names.filter { $0.unicodeScalars.count > 100 && !fault.message.contains($0) }
    }
}
