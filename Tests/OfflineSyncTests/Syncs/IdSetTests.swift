import TestSupport
import Testing

@testable import OfflineSync

@Suite struct IdSetTests {
    @Test func `a set of ids answers as a set of texts`() {
        var random = SeededRandom(seed: 11)
        var packed = IdSet()
        var model: Set<String> = []
        for _ in 0..<20_000 {
            let id = "001" + String(random.next() % 15_000)
            packed.insert(id)
            model.insert(id)
        }
        #expect(packed.count == model.count)
        for number in 0..<20_000 {
            #expect(packed.contains("001\(number)") == model.contains("001\(number)"))
        }
        #expect(!packed.contains("") && !packed.contains(String(repeating: "x", count: 70_000)))
    }

    @Test func `long ids fill several pieces`() {
        var packed = IdSet()
        let ids = (0..<100).map { String(repeating: "x", count: 30_000) + String($0) }
        for id in ids + ids {
            packed.insert(id)
        }
        #expect(packed.count == 100 && ids.allSatisfy { packed.contains($0) })
    }
}
