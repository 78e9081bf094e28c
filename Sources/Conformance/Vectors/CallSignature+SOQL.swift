/// The calls about SOQL and SOSL texts.
extension CallSignature {
    static let soql: [CallSignature] = [
        CallSignature("soql.tokenize", ["text"], needs: [.soql]),
        CallSignature("soql.mutate", ["query", "operations"], needs: [.soql]),
        CallSignature("soql.inspect", ["query", "field"], needs: [.soql]),
        CallSignature(
            "soql.build",
            ["fields", "from", "where", "with", "groupBy", "having", "orderBy", "limit", "offset"], needs: [.soql]),
        CallSignature("soql.literal", ["text"], needs: [.soql]),
        CallSignature(
            "sosl.build", ["term", "searchGroup", "returning", "divisionFilter", "dataCategory", "limit"],
            needs: [.soql]),
        CallSignature("sosl.escape", ["text"], needs: [.soql]),
    ]
}
