import Benchmarking

/// Creates the data of the reference's full-text speed test: texts of animals whose names begin with one letter, each
/// with a number before it. A word is in one entry, or in all entries of its letter.
struct AnimalCorpus: Sendable {
    /// The number of entries for each letter; there are 25 letters.
    let rows: Int
    let findsAll: Bool

    init(entries: Int, findsAll: Bool) {
        rows = max(1, entries / Self.letters.count)
        self.findsAll = findsAll
    }

    /// The number of entries that contain a word.
    var matches: Int { findsAll ? rows : 1 }

    static let letters = Array("abcdefghijklmnopqrstuvwxy")
    static let marker = Array("animal-bench-marker".utf8)
    static let soup = "animals"

    private static let animals = [
        "alligator", "ant", "bear", "bee", "bird", "camel", "cat", "cheetah", "chicken", "chimpanzee", "cow",
        "crocodile", "deer", "dog", "dolphin", "duck",
        "eagle", "elephant", "fish", "fly", "fox", "frog", "giraffe", "goat", "goldfish", "hamster", "hippopotamus",
        "horse", "iguana", "impala", "jaguar",
        "jellyfish", "kangaroo", "kitten", "lion", "lobster", "monkey", "nightingale", "octopus", "owl", "panda", "pig",
        "puppy", "quail", "rabbit", "rat",
        "scorpion", "seal", "shark", "sheep", "snail", "snake", "spider", "squirrel", "tiger", "turtle", "umbrellabird",
        "vulture", "wolf", "xantus", "xerus",
        "yak",
    ]

    var count: Int { rows * Self.letters.count }

    /// The number before an animal is the same in all entries that one word finds.
    func word(_ animal: String, _ row: Int) -> String {
        let digits = String(row % (rows / matches))
        return String(repeating: "0", count: max(0, 7 - digits.utf8.count)) + digits + animal
    }

    func document(letter: Character, row: Int) -> [UInt8] {
        let words = Self.animals.filter { $0.first == letter }.map { word($0, row) }.joined(separator: " ")
        return Array(#"{"text":"\#(words) ","marker":""#.utf8) + Self.marker + Array(#""}"#.utf8)
    }

    /// All documents, a thousand at a time. They are generated with the clock stopped.
    func forEachBatch(_ watch: Stopwatch?, _ body: ([[UInt8]]) throws -> Void) rethrows {
        for start in stride(from: 0, to: count, by: StoreCorpus.batch) {
            func make() -> [[UInt8]] {
                (start..<min(start + StoreCorpus.batch, count)).map {
                    document(letter: Self.letters[$0 / rows], row: $0 % rows)
                }
            }
            try body(watch?.pause { make() } ?? make())
        }
    }

    /// Words to search for, drawn from the seed.
    func words(_ wanted: Int, seed: UInt64) -> [String] {
        var random = SplitMix(seed: seed ^ 0xA41)
        return (0..<wanted).map { _ in
            word(
                Self.animals[Int(random.next(below: UInt64(Self.animals.count)))], Int(random.next(below: UInt64(rows)))
            )
        }
    }
}
