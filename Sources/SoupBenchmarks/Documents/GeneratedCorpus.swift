import Benchmarking
import Soups

/// Generates documents of about 1 KB, each independent of the others: the same for the same seed and index on every
/// machine.
package struct GeneratedCorpus: Sendable {
    package let seed: UInt64

    package init(seed: UInt64) { self.seed = seed }

    /// Raise it with every change of the generated documents: the cells' definitions depend on it.
    static let revision = 1

    /// Identifies the documents: seed and revision determine everything.
    var hash: String { SHA256.hex((0..<100).flatMap { document(at: $0) }) }

    /// A text in every document; files that contain it are not encrypted.
    package static let marker = Array("soup-bench-marker".utf8)
    /// A word that only every 500th document contains.
    package static let rareWord = "zyzzyva"
    /// A word that nearly every document contains.
    package static var commonWord: String { String(decoding: Vocabulary.standard.words[2], as: UTF8.self) }
    package static let categories = 50

    /// The document at an index, as JSON bytes without spaces.
    package func document(at index: Int, version: Int = 0) -> [UInt8] {
        var random = SplitMix(
            seed: seed &* 0x9E37_79B9 &+ UInt64(index) &* 0xD1B5_4A32_D192_ED03 &+ UInt64(version) &* 0x94D0_49BB)
        let words = Vocabulary.standard
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1_200)
        func put(_ text: String) { bytes.append(contentsOf: text.utf8) }
        func putWords(_ count: Int, _ random: inout SplitMix) {
            for number in 0..<count {
                if number > 0 {
                    bytes.append(UInt8(ascii: " "))
                }
                bytes.append(contentsOf: words.draw(&random))
            }
        }
        put(#"{"key":""#)
        put(key(of: index))
        put(#"","name":""#)
        putWords(2, &random)
        put(" \(index % 997)")
        put(#"","category":""#)
        put(Self.category(Int(random.next(below: UInt64(Self.categories)))))
        put(#"","amount":"#)
        put(String(random.next(below: 1_000_000)))
        put(#","rate":"#)
        put("\(random.next(below: 100)).\(1 + random.next(below: 9))")
        put(#","active":"#)
        put(random.next(below: 4) == 0 ? "false" : "true")
        put(#","marker":""#)
        bytes.append(contentsOf: Self.marker)
        put(#"","address":{"city":""#)
        putWords(1, &random)
        put(#"","zip":"\#(10_000 + random.next(below: 90_000))"},"tags":[""#)
        putWords(1, &random)
        put(#"",""#)
        putWords(1, &random)
        put(#""],"body":""#)
        if index % 500 == 250 {
            put(Self.rareWord + " ")
        }
        putWords(105 + Int(random.next(below: 25)), &random)
        put(#""}"#)
        return bytes
    }

    /// The value of `key` in the document at an index: unique, and not in the order of the indexes.
    package func key(of index: Int) -> String {
        var random = SplitMix(seed: seed &+ UInt64(index) &* 0xBF58_476D_1CE4_E5B9)
        let digits = String(random.next(), radix: 16)
        return "k" + String(repeating: "0", count: max(0, 16 - digits.utf8.count)) + digits
    }

    static func category(_ number: Int) -> String { "category-" + (number < 10 ? "0" : "") + String(number) }
}
