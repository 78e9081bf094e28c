import Benchmarking

/// Words with frequencies as in a natural language: few common ones, many rare ones (Zipf's law). They are made of
/// syllables and are the same for every seed.
struct Vocabulary: Sendable {
    /// By rank: the first is the most common.
    let words: [[UInt8]]
    /// `cumulative[rank]`: the share of running text that words up to this rank make up.
    private let cumulative: [Double]

    static let standard = Vocabulary(size: 5_000)

    private init(size: Int) {
        let consonants = Array("bcdfghjklmnprstvw".utf8)
        let vowels = Array("aeiou".utf8)
        var random = SplitMix(seed: 0x5EED)
        var made: Set<[UInt8]> = []
        var words: [[UInt8]] = []
        while words.count < size {
            // Common words are short.
            let syllables = 1 + (words.count > 40 ? 1 : 0) + Int(random.next(below: 3))
            var word: [UInt8] = []
            for _ in 0..<syllables {
                word.append(consonants[Int(random.next(below: UInt64(consonants.count)))])
                word.append(vowels[Int(random.next(below: UInt64(vowels.count)))])
                if random.next(below: 4) == 0 {
                    word.append(consonants[Int(random.next(below: UInt64(consonants.count)))])
                }
            }
            if word.count > 2, made.insert(word).inserted {
                words.append(word)
            }
        }
        self.words = words
        var total = 0.0
        let sums = (1...size).map { rank -> Double in
            total += 1 / Double(rank)
            return total
        }
        cumulative = sums.map { $0 / total }
    }

    /// Draws a word with the frequency of Zipf's law.
    func draw(_ random: inout SplitMix) -> [UInt8] {
        let share = random.unit()
        var low = 0
        var high = words.count - 1
        while low < high {
            let middle = (low + high) / 2
            if cumulative[middle] < share {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return words[low]
    }
}
