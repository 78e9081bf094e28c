#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
public import JSONText
import Soups

/// Describes the machine, as far as it decides how fast things are. No host name, no user.
public struct Machine: Sendable {
    public let processor: String
    /// The instruction sets that encryption and hashing gain from, where present.
    public let flags: [String]
    public let cores: Int
    /// Rounded to whole GiB, so that a kernel that keeps a little more changes nothing.
    public let memoryGiB: Int
    public let kernel: String
    public let virtualisation: String
    public let governor: String
    public let clockSource: String

    public static func current() -> Machine {
        let wanted = ["aes", "vaes", "sha_ni", "avx2", "avx512f"]
        let present = (SystemFile.field("flags", in: "/proc/cpuinfo") ?? "").split(separator: " ").map(String.init)
        let kilobytes = SystemFile.field("MemTotal", in: "/proc/meminfo").flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
        var names = utsname()
        uname(&names)
        let release = withUnsafeBytes(of: &names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let isVirtual = present.contains("hypervisor")
        return Machine(
            processor: SystemFile.field("model name", in: "/proc/cpuinfo") ?? "unknown", flags: wanted.filter { present.contains($0) },
            cores: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), memoryGiB: (kilobytes + 524_288) / 1_048_576, kernel: release,
            virtualisation: isVirtual ? (SystemFile.line("/sys/class/dmi/id/sys_vendor") ?? "a virtual machine") : "none",
            governor: SystemFile.line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor") ?? "unknown",
            clockSource: SystemFile.line("/sys/devices/system/clocksource/clocksource0/current_clocksource") ?? "unknown")
    }

    /// Major and minor version of the kernel: the rest changes with every update and decides nothing.
    var kernelSeries: String { kernel.split(separator: ".").prefix(2).joined(separator: ".") }

    public var json: JSONValue {
        [
            "processor": .string(processor), "flags": .array(flags.map { .string($0) }), "cores": .number(JSONNumber(Int64(cores))),
            "memory_gib": .number(JSONNumber(Int64(memoryGiB))), "kernel": .string(kernel), "virtualisation": .string(virtualisation),
            "governor": .string(governor), "clock_source": .string(clockSource),
        ]
    }
}

/// How busy the machine is: read before and after a run.
public struct Load: Sendable {
    /// The load average of the last minute.
    public let average: Double?
    /// Ticks that the hypervisor gave to others, since the machine started.
    public let stealTicks: Int?

    public static func current() -> Load {
        let average = SystemFile.line("/proc/loadavg")?.split(separator: " ").first.flatMap { Double($0) }
        let steal = SystemFile.lines("/proc/stat").first { $0.hasPrefix("cpu ") }.flatMap { line -> Int? in
            let fields = line.split(separator: " ")
            return fields.count > 8 ? Int(fields[8]) : nil
        }
        return Load(average: average, stealTicks: steal)
    }

    public var json: JSONValue {
        [
            "average": average.flatMap { JSONNumber($0) }.map { .number($0) } ?? .null,
            "steal_ticks": stealTicks.map { .number(JSONNumber(Int64($0))) } ?? .null,
        ]
    }
}
