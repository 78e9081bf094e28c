import SmartSQL
import Soups
import Synchronization
import TestSupport
import Testing

@Suite struct TranslationCacheTests {
    /// Counts how often a soup is looked up, that is, how often a text is translated.
    private final class CountingCatalogue: SoupCatalogue {
        private let asked = Mutex(0)
        var count: Int { asked.withLock { $0 } }
        func soup(named name: String) throws(Fault) -> RegisteredSoup? {
            asked.withLock { $0 += 1 }
            return try CompanySoups().soup(named: name)
        }
    }

    private let catalogue = CountingCatalogue()

    private func ask(_ cache: TranslationCache, _ text: String, permissive: Bool = false) throws {
        _ = try cache.query(text, catalogue: catalogue, permissive: permissive)
    }

    @Test func `a text is translated once and again after removal`() throws {
        let cache = TranslationCache()
        for _ in 0..<3 {
            try ask(cache, "select 1 from {employees}")
        }
        #expect(catalogue.count == 1)
        cache.removeAll()
        #expect(cache.count == 0)
        try ask(cache, "select 1 from {employees}")
        #expect(catalogue.count == 2)
    }

    @Test func `a full cache starts over`() throws {
        let cache = TranslationCache(limit: 2)
        let texts = (0..<3).map { "select \($0) from {employees}" }
        try ask(cache, texts[0])
        try ask(cache, texts[1])
        try ask(cache, texts[0])
        #expect(cache.count == 2 && catalogue.count == 2)
        try ask(cache, texts[2])
        #expect(cache.count == 1 && catalogue.count == 3)
        try ask(cache, texts[0])
        #expect(cache.count == 2 && catalogue.count == 4)
    }

    @Test func `failures are not kept and the option is part of the key`() throws {
        let cache = TranslationCache()
        #expect(throws: Fault.self) { try ask(cache, "select {employees:x} from {employees}") }
        #expect(cache.count == 0)
        try ask(cache, "select {employees:x} from {employees}", permissive: true)
        #expect(throws: Fault.self) { try ask(cache, "select {employees:x} from {employees}") }
    }

    @Test func `texts that differ only in normalisation are two`() throws {
        let cache = TranslationCache()
        try ask(cache, "select 'e\u{301}' from {employees}")
        try ask(cache, "select '\u{e9}' from {employees}")
        #expect(cache.count == 2)
    }

    /// Compares the cache with an array of texts that is emptied at the same limit.
    @Test func `it holds the texts since it was emptied`() throws {
        var random = SeededRandom(seed: 11)
        let cache = TranslationCache(limit: 5)
        var kept: [String] = []
        for _ in 0..<3_000 {
            if Int.random(in: 0..<40, using: &random) == 0 {
                cache.removeAll()
                kept = []
            } else {
                let soup = Bool.random(using: &random) ? "employees" : "departments"
                let text = "select \(Int.random(in: 0..<4, using: &random)) from {\(soup)}"
                let before = catalogue.count
                try ask(cache, text)
                #expect((catalogue.count == before) == kept.contains(text), "seed \(random.seed)")
                if !kept.contains(text) {
                    kept = kept.count == 5 ? [text] : kept + [text]
                }
            }
            #expect(cache.count == kept.count, "seed \(random.seed)")
        }
    }
}
