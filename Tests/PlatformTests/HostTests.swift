import Platform
import Testing

/// The system.
@Suite struct HostTests {
    @Test
    func `what the system says about itself is there`() {
        #expect(HostSystem.processors >= 1)
        #expect(HostSystem.kernel.contains("."))
        #expect(!HostSystem.library.isEmpty)
        #expect(HostSystem.freeBytes(at: "/") >= 0)
        #expect(HostSystem.freeBytes(at: "/no/such/folder") == 0)
    }

    @Test
    func `memory that held a secret is overwritten`() {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 1)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 7)
        memory.overwrite()
        #expect(memory.allSatisfy { $0 == 0 })
        UnsafeMutableRawBufferPointer(start: nil, count: 0).overwrite()
    }
}
