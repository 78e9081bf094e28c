import OfflineStore
import Soups
import Testing

@testable import OfflineSync

/// How far the stamp of a sync rises.
@Suite struct TimeStampTests {
    @Test func `a record that changes during the run does not raise the stamp past pages that are still to come`() {
        var stamp = TimeStamp(stored: 5, isOrdered: true)
        stamp.limit(serverTime: 1_000)
        stamp.note([10])
        stamp.rise(isLastPage: false)
        #expect(stamp.stored == 10)
        // It is listed where its former date belongs.
        stamp.note([1_000])
        stamp.rise(isLastPage: false)
        #expect(stamp.stored == 10)
        stamp.note([30, 40])
        stamp.rise(isLastPage: false)
        #expect(stamp.stored == 10)
        stamp.note([50])
        stamp.rise(isLastPage: true)
        #expect(stamp.stored == 999)
    }

    @Test(arguments: [(Int64.min, Int64(-1)), (-1, -1), (0, -1), (1, 0), (8, 7)])
    func `after a run that was cut off the bound is one millisecond lower, and never below its least`(
        _ stored: Int64, _ bound: Int64
    ) {
        var state = SyncState(
            type: .down, name: nil, soupName: "s", target: ["type": "soql"], options: SyncOptions(),
            status: .failed)
        state.maxTimeStamp = stored
        #expect(TimeStamp.bound(of: state, overlap: 0) == bound)
    }
}
