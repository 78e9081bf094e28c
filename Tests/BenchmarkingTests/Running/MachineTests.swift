import JSONText
import Testing

@testable import Benchmarking
@testable import SoupBenchmarks

struct MachineTests {
    @Test func `the machine is described without naming it`() throws {
        let json = Machine.current().json
        for name in [
            "processor", "kernel", "virtualisation", "governor", "clock_source", "processor_family", "boost",
            "system_library", "container_limits",
        ] {
            #expect(json[name]?.string != nil, "\(name)")
        }
        #expect((json["cores"]?.int64 ?? 0) > 0 && json["system_library"]?.string?.isEmpty == false)
        let host = SystemFile.line("/proc/sys/kernel/hostname")
        #expect(json.object?.members.contains { $0.value.string != nil && $0.value.string == host } == false)
    }

    /// Facts that are only shown must not make a stored report incomparable.
    @Test func `the fingerprint is the same in one process`() {
        let disk = DataDisk.below(".")
        let libraries = Libraries.find()
        #expect(
            Fingerprint.of(Machine.current(), disk, libraries: libraries.identity)
                == Fingerprint.of(Machine.current(), disk, libraries: libraries.identity))
        #expect(Fingerprint.of(Machine.current(), disk, libraries: libraries.identity).utf8.count == 12)
    }
}
