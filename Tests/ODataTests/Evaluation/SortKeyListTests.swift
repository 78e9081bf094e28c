import OData
import Soups
import Testing

/// Sort keys that are packed.
@Suite struct SortKeyListTests {
    @Test func `packed keys have the order of the keys`() {
        let texts = [
            "", "a", "ab", "abcdefgh", "abcdefghi", "abcdefgi", "abcdefgh\u{E9}", "\u{10000}", "\u{FFFF}", "b",
        ]
        let keys: [SortKey] =
            [.null, .boolean(false), .boolean(true), .notANumber, .other] + texts.map { .text(ByteKey($0)) }
        var list = SortKeyList()
        for key in keys {
            list.append(key)
        }
        #expect(list.count == keys.count)
        list.withOrder { order in
            for a in keys.indices {
                for b in keys.indices {
                    #expect(order(a, b).signum() == SortKey.order(keys[a], keys[b]).signum())
                    #expect(SortKey.order(list[a], keys[a]) == 0)
                }
            }
        }
    }
}
