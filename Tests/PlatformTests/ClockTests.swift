import FoundationEssentials
import Platform
import Testing

@Suite struct ClockTests {
    @Test
    func `the clocks go forward, and the wall clock is that of the system`() {
        let (elapsed, used) = (SystemClock.monotonicNanoseconds, SystemClock.processorNanoseconds)
        var sum = 0.0
        for number in 0..<200_000 {
            sum += Double(number).squareRoot()
        }
        #expect(sum > 0)
        #expect(SystemClock.monotonicNanoseconds > elapsed && SystemClock.processorNanoseconds > used)
        let before = Int64(Date.now.timeIntervalSince1970 * 1000) - 1
        let now = SystemClock.wallMilliseconds
        #expect(now >= before && now <= Int64(Date.now.timeIntervalSince1970 * 1000) + 1)
    }

    @Test
    func `the time is written in UTC, in full or for names`() throws {
        let before = Date.now.timeIntervalSince1970.rounded(.down)
        let text = UTCTime.now()
        let compact = UTCTime.compact()
        let after = Date.now.timeIntervalSince1970
        let date = try Date(text, strategy: .iso8601)
        #expect((before...after).contains(date.timeIntervalSince1970))
        #expect(text.count == 20 && text.hasSuffix("Z"))
        #expect(compact.count == 15 && compact.prefix(4) == text.prefix(4))
        #expect(compact.utf8.filter { $0 == UInt8(ascii: "-") }.count == 1)
    }
}
