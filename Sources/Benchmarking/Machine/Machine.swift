package import JSONText
import Platform
import Soups

/// Describes the machine, as far as it decides how fast things are. No host name, no user.
package struct Machine: Sendable {
    package let processor: String
    /// The instruction sets that speed up encryption and hashing, if present.
    package let flags: [String]
    package let cores: Int
    /// Rounded to whole GiB, so that it does not depend on what the kernel reserves.
    package let memoryGiB: Int
    package let kernel: String
    package let virtualisation: String
    package let governor: String
    package let clockSource: String
    /// Family, model and stepping of the processor, and whether it may run above its base clock; empty if the
    /// machine does not say.
    package let processorFamily: String
    package let boost: String
    /// The C library and its version.
    package let systemLibrary: String
    /// The limits of a container on processor and memory; empty if there are none or they are unknown.
    package let containerLimits: String

    package static func current() -> Machine {
        let wanted = ["aes", "vaes", "sha_ni", "avx2", "avx512f"]
        let present = (SystemFile.field("flags", in: "/proc/cpuinfo") ?? "").split(separator: " ").map(String.init)
        let kilobytes =
            SystemFile.field("MemTotal", in: "/proc/meminfo").flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
        let isVirtual = present.contains("hypervisor")
        return Machine(
            processor: SystemFile.field("model name", in: "/proc/cpuinfo") ?? "unknown",
            flags: wanted.filter { present.contains($0) },
            cores: HostSystem.processors, memoryGiB: (kilobytes + 524_288) / 1_048_576,
            kernel: HostSystem.kernel,
            virtualisation: isVirtual
                ? (SystemFile.line("/sys/class/dmi/id/sys_vendor") ?? "a virtual machine") : "none",
            governor: SystemFile.line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor") ?? "unknown",
            clockSource: SystemFile.line("/sys/devices/system/clocksource/clocksource0/current_clocksource")
                ?? "unknown",
            processorFamily: ["cpu family", "model", "stepping"].compactMap {
                SystemFile.field($0, in: "/proc/cpuinfo")
            }.joined(separator: "."),
            boost: SystemFile.line("/sys/devices/system/cpu/cpufreq/boost") ?? "", systemLibrary: HostSystem.library,
            containerLimits: limits())
    }

    /// Of the second version of control groups, else of the first.
    private static func limits() -> String {
        let places = [
            ("processor", ["/sys/fs/cgroup/cpu.max", "/sys/fs/cgroup/cpu/cpu.cfs_quota_us"]),
            ("memory", ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]),
        ]
        // `max`, -1 and a number near the largest possible one all mean that there is no limit.
        func isLimit(_ text: String) -> Bool { !text.hasPrefix("max") && !text.hasPrefix("-") && text.utf8.count < 18 }
        return places.compactMap { name, files in
            files.lazy.compactMap { SystemFile.line($0) }.first.flatMap { isLimit($0) ? "\(name) \($0)" : nil }
        }.joined(separator: ", ")
    }

    /// Major and minor version of the kernel. The rest changes with every update and hardly affects speed.
    var kernelSeries: String { kernel.split(separator: ".").prefix(2).joined(separator: ".") }

    package var json: JSONValue {
        [
            "processor": .string(processor), "flags": .array(flags.map { .string($0) }),
            "cores": .number(JSONNumber(Int64(cores))),
            "memory_gib": .number(JSONNumber(Int64(memoryGiB))), "kernel": .string(kernel),
            "virtualisation": .string(virtualisation),
            "governor": .string(governor), "clock_source": .string(clockSource),
            "processor_family": .string(processorFamily), "boost": .string(boost),
            "system_library": .string(systemLibrary), "container_limits": .string(containerLimits),
        ]
    }
}
