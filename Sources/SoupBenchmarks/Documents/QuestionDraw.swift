import Benchmarking
import JSONText
import Soups

/// Draws a sample of documents, each with the same probability (a reservoir), and takes the questions from it.
struct QuestionDraw {
    private let indexes: [IndexSpec]
    /// The indexes that suit keys, and those that suit words, in the order in which they were named.
    private let keyIndexes: [Int]
    private let matchIndexes: [Int]
    private var random: SplitMix
    private var offered = 0
    private var kept: [Kept] = []

    private struct Kept {
        var keys: [QuerySpec.Key?]
        var words: [Set<[UInt8]>]
        var marker: [UInt8]?
    }

    private static let sampleSize = 512
    /// Only the beginning of a sampled text is read: a sample stays small whatever the documents are.
    private static let longestText = 4_096

    init(indexes: [IndexSpec], seed: UInt64) {
        self.indexes = indexes
        keyIndexes = indexes.indices.filter { indexes[$0].type != .fullText }
        matchIndexes = indexes.indices.filter { indexes[$0].type == .fullText }
        random = SplitMix(seed: seed ^ 0xD0C5)
    }

    mutating func offer(_ document: [UInt8], _ values: JSONProjection) {
        offered += 1
        let index: Int
        if kept.count < Self.sampleSize {
            index = kept.count
            kept.append(Kept(keys: [], words: [], marker: nil))
        } else {
            index = Int(random.next(below: UInt64(offered)))
            guard index < kept.count else { return }
        }
        kept[index] = Kept(
            keys: keyIndexes.map { key(at: $0, values) }, words: matchIndexes.map { words(at: $0, values) },
            marker: Self.marker(document))
    }

    func questions() -> CorpusQuestions {
        var questions = CorpusQuestions()
        // The first index that has values is asked; the others say that they have none (`DocumentCorpus.emptyIndexes`).
        for (slot, index) in keyIndexes.enumerated() {
            let keys = kept.compactMap { $0.keys[slot] }
            guard !keys.isEmpty else { continue }
            (questions.keyPath, questions.keys) = (indexes[index].path, Array(keys.prefix(64)))
            break
        }
        questions.markers = Array(kept.compactMap(\.marker).prefix(32))
        let slot = matchIndexes.indices.first { slot in kept.contains { !$0.words[slot].isEmpty } }
        guard let slot else {
            return questions
        }
        var frequencies: [[UInt8]: Int] = [:]
        for word in kept.flatMap({ $0.words[slot] }) {
            frequencies[word, default: 0] += 1
        }
        // Words of equal frequency are sorted by text, so that the same file gives the same questions everywhere.
        let words = frequencies.sorted {
            $0.value != $1.value ? $0.value > $1.value : $0.key.lexicographicallyPrecedes($1.key)
        }.map(\.key)
        guard let common = words.first, let rare = words.last else {
            return questions
        }
        questions.matchPath = indexes[matchIndexes[slot]].path
        questions.commonWord = String(decoding: common, as: UTF8.self)
        questions.rareWord = String(decoding: rare, as: UTF8.self)
        return questions
    }

    private func key(at index: Int, _ values: JSONProjection) -> QuerySpec.Key? {
        let isNumber = values.value(index).kind == .number
        switch indexes[index].type {
        case .json1 where isNumber, .integer, .floating:
            switch values.numeric(of: index) {
            case .integer(let number): return .integer(number)
            case .real(let number): return .floating(number)
            default: return nil
            }
        case .string, .fullText, .json1:
            guard let text = values.text(of: index), text.count <= 200 else { return nil }
            return .string(String(decoding: text, as: UTF8.self))
        }
    }

    /// The ASCII words of three letters and more, in lower case as the index folds them.
    private func words(at index: Int, _ values: JSONProjection) -> Set<[UInt8]> {
        guard let text = values.text(of: index) else {
            return []
        }
        var words: Set<[UInt8]> = []
        var word: [UInt8] = []
        var isForeign = false
        for byte in text.prefix(Self.longestText) + [0x20] {
            let folded = byte | 0x20
            if folded >= UInt8(ascii: "a") && folded <= UInt8(ascii: "z") {
                word.append(folded)
            } else if byte >= 0x80 || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")) {
                isForeign = true  // a digit or a letter beyond ASCII: the word is left out
            } else {
                if word.count >= 3, !isForeign {
                    words.insert(word)
                }
                word.removeAll(keepingCapacity: true)
                isForeign = false
            }
        }
        return words
    }

    /// Sixteen bytes of the document, or eight of a short one, that are plain ASCII and that the store keeps unchanged
    /// (it does not keep blanks next to the outer braces, nor system fields). Taken from near the middle, because
    /// documents begin alike; at most `longestText` away from it, however long the document is.
    private static func marker(_ document: [UInt8]) -> [UInt8]? {
        let isBlank = { (byte: UInt8) in byte == 0x20 || (9...13).contains(byte) }
        guard let open = document.firstIndex(of: UInt8(ascii: "{")),
            let close = document.lastIndex(of: UInt8(ascii: "}")), open < close,
            let first = document[(open + 1)..<close].firstIndex(where: { !isBlank($0) }),
            let last = document[(open + 1)..<close].lastIndex(where: { !isBlank($0) })
        else {
            return nil
        }
        for length in [16, 8] where last - first + 1 >= length {
            let end = last + 1 - length
            let middle = min((first + last) / 2, end)
            let starts = [middle...min(end, middle + longestText), max(first, middle - longestText)...middle].joined()
            let found = starts.first { start in
                document[start..<start + length].allSatisfy { $0 >= 0x20 && $0 < 0x7F }
                    && !mayBeSystemField(document, start..<start + length)
            }
            if let found {
                return Array(document[found..<found + length])
            }
        }
        return nil
    }

    /// Returns whether a piece contains the name of a system field, whose value the store replaces.
    private static func mayBeSystemField(_ document: [UInt8], _ piece: Range<Int>) -> Bool {
        String(
            decoding: document[max(0, piece.lowerBound - 48)..<min(document.count, piece.upperBound + 8)], as: UTF8.self
        ).utf8Contains("_soup")
    }
}
