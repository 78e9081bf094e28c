import Platform
import TestSupport
import Testing

@Suite struct ReadinessTests {
    @Test
    func `a pipe is readable once something is written or the other side is closed, and writable until it is full`()
        async throws
    {
        try await Threads.run {
            let pipe = try Pipe()
            let idle = try Readiness.wait(reading: pipe.reading, milliseconds: 1)
            #expect(!idle.isReadable && !idle.isWritable)
            pipe.reading.doNotBlock()
            let nothing = #expect(throws: SystemError.self) { try pipe.reading.read(atMost: 1) }
            #expect(nothing?.wouldBlock == true)

            try pipe.writing.write([1])
            let both = try Readiness.wait(reading: pipe.reading, writing: pipe.writing, milliseconds: 10_000)
            #expect(both.isReadable && both.isWritable)

            pipe.writing.doNotBlock()
            let block = [UInt8](repeating: 0, count: 1 << 16)[...]
            var written = 1
            let full = #expect(throws: SystemError.self) {
                while true {
                    written += try pipe.writing.writeSome(block)
                }
            }
            #expect(full?.wouldBlock == true)
            #expect(try !Readiness.wait(reading: pipe.reading, writing: pipe.writing, milliseconds: 1).isWritable)
            var read = 0
            while read < written {
                read += try pipe.reading.read(atMost: 1 << 20).count
            }
            pipe.writing.close()
            #expect(try Readiness.wait(reading: pipe.reading, milliseconds: 10_000).isReadable)
            #expect(try pipe.reading.read(atMost: 1).isEmpty, "which is the end")
        }
    }

    @Test
    func `a file that is closed is never ready`() throws {
        let pipe = try Pipe()
        pipe.reading.close()
        // poll ignores a negative descriptor: nothing will ever come.
        #expect(try !Readiness.wait(reading: pipe.reading, milliseconds: 1).isReadable)
    }
}
