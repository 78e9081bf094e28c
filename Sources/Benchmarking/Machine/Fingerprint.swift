import Soups

/// Names a class of machines on which absolute times may be compared: processor, memory, kernel series, file system,
/// toolchain, libraries.
package enum Fingerprint {
    /// 12 hexadecimal digits. `libraries` is `StorageFacts.identity`. Neither the host's name nor anything that changes
    /// from day to day is part of it.
    package static func of(_ machine: Machine, _ disk: DataDisk, libraries: String) -> String {
        let parts = [
            machine.processor, machine.flags.joined(separator: " "), String(machine.cores), String(machine.memoryGiB),
            machine.kernelSeries, disk.type,
            machine.virtualisation, Build.toolchain, Build.optimisation, libraries,
        ]
        return String(SHA256.hex(Array(parts.joined(separator: "\n").utf8)).prefix(12))
    }
}
