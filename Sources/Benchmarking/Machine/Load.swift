package import JSONText

/// How busy the machine is: read before and after a run.
package struct Load: Sendable {
    /// The load average of the last minute.
    package let average: Double?
    /// Ticks that the hypervisor gave to other machines, since this machine started.
    package let stealTicks: Int?

    package static func current() -> Load {
        let average = SystemFile.line("/proc/loadavg")?.split(separator: " ").first.flatMap { Double($0) }
        let steal = SystemFile.lines("/proc/stat").first { $0.hasPrefix("cpu ") }.flatMap { line -> Int? in
            let fields = line.split(separator: " ")
            return fields.count > 8 ? Int(fields[8]) : nil
        }
        return Load(average: average, stealTicks: steal)
    }

    package var json: JSONValue {
        [
            "average": average.flatMap { JSONNumber($0) }.map { .number($0) } ?? .null,
            "steal_ticks": stealTicks.map { .number(JSONNumber(Int64($0))) } ?? .null,
        ]
    }
}
