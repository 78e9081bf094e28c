import Foundation
import TestSupport
import Testing

/// The source of `ci/odata-example`, whose only import is the product.
@Suite struct ProductTests {
    @Test func `the example needs one import`() throws {
        let expected = try String(
            contentsOf: URL(filePath: TestData.packageRoot + "/ci/odata-example/expected.txt"), encoding: .utf8)
        let lines = try ShopFeed.example.report().map {
            $0.replacingOccurrences(of: "ODataTests.", with: "odata_example.")
        }
        #expect(lines == expected.split(separator: "\n").map(String.init))
    }
}
