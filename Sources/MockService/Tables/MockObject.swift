/// A type of records.
public struct MockObject: Sendable, Hashable {
    /// The name, compared without case in ASCII.
    public var name: String
    /// The first three characters of the ids of its records.
    public var prefix: String
    /// The fields in order: the id first, those of the service last.
    public let fields: [MockField]
    /// The fields that make up the name of a record, which searches look at.
    public var nameFields: [String]

    let positions: [String: Int]
    static let idPosition = 0
    let createdPosition: Int
    let modifiedPosition: Int
    let stampPosition: Int

    /// Creates a type. The fields `Id`, `ClientKey__c`, `CreatedDate`, `LastModifiedDate` and `SystemModstamp` come by
    /// themselves.
    public init(_ name: String, prefix: String, fields: [MockField], nameFields: [String] = ["Name"]) {
        self.name = name
        self.prefix = prefix
        self.nameFields = nameFields
        var all = [MockField.readOnly("Id", .id)] + fields
        all.append(MockField("ClientKey__c", length: 255, isExternalId: true))
        createdPosition = all.count
        modifiedPosition = all.count + 1
        stampPosition = all.count + 2
        all += ["CreatedDate", "LastModifiedDate", "SystemModstamp"].map { .readOnly($0, .date) }
        self.fields = all
        positions = Dictionary(all.enumerated().map { (ASCIICase.lower($1.name), $0) }, uniquingKeysWith: { a, _ in a })
    }

    /// The position of a field; `nil` if no field has the name.
    func position(of name: String) -> Int? { positions[ASCIICase.lower(name)] }

    /// Account, Contact and Opportunity.
    public static let standard: [MockObject] = [
        MockObject(
            "Account", prefix: "001",
            fields: [
                MockField("Name", label: "Account Name", length: 255, isRequired: true),
                MockField("Description", length: 32_000), MockField("Industry", length: 255), externalId,
            ]),
        MockObject(
            "Contact", prefix: "003",
            fields: [
                MockField("LastName", label: "Last Name", length: 80, isRequired: true),
                MockField("FirstName", label: "First Name", length: 40), MockField("Title", length: 128),
                MockField("MobilePhone", label: "Mobile Phone", length: 40), MockField("Email", length: 80),
                MockField("Department", length: 80), MockField("HomePhone", label: "Home Phone", length: 40),
                MockField("AccountId", label: "Account ID", kind: .reference, target: "Account", plural: "Contacts"),
                externalId,
            ], nameFields: ["FirstName", "LastName"]),
        MockObject(
            "Opportunity", prefix: "006",
            fields: [
                MockField("Name", length: 120),
                MockField(
                    "AccountId", label: "Account ID", kind: .reference, target: "Account", plural: "Opportunities"),
                MockField("Amount", kind: .number), MockField("StageName", label: "Stage", length: 255),
            ]),
    ]

    private static let externalId = MockField(
        "ExternalId__c", label: "External ID", length: 255, isUnique: true, isExternalId: true)
}

/// Names of types, fields and keywords have no case in ASCII.
enum ASCIICase {
    static func lower(_ text: String) -> String {
        guard text.utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return text }
        return String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
