import SOQL
import Soups
import Testing

@Suite struct SOSLBuilderTests {
    @Test(arguments: [
        (
            SOSLBuilder(
                term: "O'Neil (x)", searchGroup: "NAME FIELDS",
                returning: [
                    SOSLReturning(objectName: "Account", fields: ["Id", "Name"], limit: 5),
                    SOSLReturning(objectName: "Contact"),
                ], limit: 20),
            #"find {O\'Neil \(x\)} in NAME FIELDS returning  Account(Id, Name limit 5),  Contact limit 20"#
        ),
        (SOSLBuilder(term: "x"), "find {x}"),
        (
            SOSLBuilder(
                term: "x",
                returning: [
                    SOSLReturning(
                        objectName: "Lead", fields: ["Id"], where: "A = 1", orderBy: "B", withNetwork: "'0DB'", limit: 3
                    )
                ], divisionFilter: "DIVISION = 'Global'", dataCategory: "Geo AT Asia", limit: -1),
            "find {x} returning  Lead(Id where A = 1 order by B with network = '0DB' limit 3) with DIVISION = 'Global' "
                + "with data category Geo AT Asia"
        ),
        (
            SOSLBuilder(term: "x", returning: [SOSLReturning(objectName: "Lead", where: "A = 1", limit: 3)]),
            "find {x} returning  Lead"
        ),
    ])
    func `parts are written in order`(builder: SOSLBuilder, text: String) throws {
        #expect(try builder.text() == text)
    }

    @Test func `a search needs a term and names of objects`() {
        let noTerm = #expect(throws: Fault.self) { try SOSLBuilder().text() }
        #expect(noTerm?.code == .invalidSOQL)
        let noObject = #expect(throws: Fault.self) {
            try SOSLBuilder(term: "x", returning: [SOSLReturning(objectName: "", fields: ["Id"])]).text()
        }
        #expect(noObject?.code == .invalidSOQL)
    }

    @Test func `reserved characters of a term are escaped`() throws {
        #expect(try SOSLTerm.escaped(#"\+^~'-[]{}()&:!"#) == #"\\\+\^\~\'\-\[\]\{\}\(\)\&\:\!"#)
        #expect(try SOSLTerm.escaped("a*b? \"é\"") == "a*b? \"é\"")
        #expect(try SOSLTerm.escaped("") == "")
    }
}
