import OfflineOData
import Testing

@Suite struct SoupRelationTests {
    @Test func `relations are equal when all their parts are`() {
        let items = SoupRelation("Items", soup: "Items", local: ["Id"], foreign: ["Order"], isCollection: true)
        let single = SoupRelation("Items", soup: "Items", local: ["Id"], foreign: ["Order"], isCollection: false)
        #expect(items == items)
        #expect(items != single)
    }
}
