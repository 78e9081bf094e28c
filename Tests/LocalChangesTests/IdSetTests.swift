import LocalChanges
import Soups
import TestSupport
import Testing

@Suite struct IdSetTests {
    @Test func `a set of ids answers as a set of texts`() throws {
        var random = SeededRandom(seed: 11)
        var packed = IdSet()
        var model: Set<String> = []
        for _ in 0..<20_000 {
            let id = "001" + String(random.next() % 15_000)
            try packed.insert(id)
            model.insert(id)
        }
        #expect(packed.count == model.count)
        for number in 0..<20_000 {
            #expect(packed.contains("001\(number)") == model.contains("001\(number)"))
        }
        #expect(!packed.contains("") && !packed.contains(String(repeating: "x", count: 70_000)))
    }

    @Test func `ids that are added in ascending order, all or only at first, are found as others are`() throws {
        var random = SeededRandom(seed: 13)
        // The lengths differ within a word of 8 bytes and beyond it, and most texts share their beginning.
        let texts = (0..<3_000).map { _ in
            String(repeating: "0", count: Int(random.next() % 20)) + String(random.next() % 2_000, radix: 36)
        }
        let ascending = Set(texts).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for added in [ascending, ascending + ["0"], ascending + texts.reversed(), ["b", "a"] + ascending] {
            let known = added.filter { _ in random.next() % 3 > 0 }
            var packed = IdSet()
            for id in known + known.suffix(1) {
                try packed.insert(id)
            }
            let model = Set(known)
            #expect(packed.count == model.count)
            #expect(packed.size == model.reduce(0) { $0 + $1.utf8.count })
            var search = IdSearch(packed)
            for id in texts + ascending + ["", "~"] {
                #expect(packed.contains(id) == model.contains(id))
                #expect(search.contains(id) == model.contains(id))
            }
        }
    }

    @Test func `an id of any length is found`() throws {
        var packed = IdSet()
        let lengths = [0, 1, 65_534, 65_535, 65_536, 70_000, 2 << 20]
        for length in lengths + lengths {
            try packed.insert(String(repeating: "x", count: length))
        }
        #expect(packed.count == lengths.count && packed.size == lengths.reduce(0, +))
        for length in lengths {
            #expect(packed.contains(String(repeating: "x", count: length)))
            #expect(!packed.contains(String(repeating: "x", count: length) + "y"))
        }
    }

    @Test func `ids of more than a gibibyte are refused`() throws {
        var packed = IdSet()
        let half = String(repeating: "x", count: 512 << 20)
        try packed.insert(half)
        #expect(throws: Fault.self) { try packed.insert(half + "y") }
        try packed.insert("one more")
        #expect(packed.count == 2)
    }

    @Test func `long ids fill several pieces`() throws {
        var packed = IdSet()
        let ids = (0..<100).map { String(repeating: "x", count: 30_000) + String($0) }
        for id in ids + ids {
            try packed.insert(id)
        }
        #expect(packed.count == 100 && ids.allSatisfy { packed.contains($0) })
    }

    @Test func `ids are found in any order, also one behind the other`() throws {
        var random = SeededRandom(seed: 12)
        for length in [1, 40, 9_000] {
            // Long ids fill several pieces.
            let all = (0..<400).map { String(repeating: "x", count: length) + String($0) }
            let known = all.filter { _ in Bool.random(using: &random) }
            var packed = IdSet()
            for id in known {
                try packed.insert(id)
            }
            for order in [all, all.reversed(), all.shuffled(using: &random), known + known] {
                var search = IdSearch(packed)
                #expect(order.filter { search.contains($0) } == order.filter { known.contains($0) })
            }
        }
    }

    @Test func `an empty set has nothing at its start`() {
        var search = IdSearch(IdSet())
        #expect(!search.contains("") && !search.contains("a"))
    }
}
