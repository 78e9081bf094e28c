import OData
import Testing

/// The examples about what a client writes: entries, keys, batches, and what comes back.
@Suite struct ExchangeExamples {
    @Test func `the example of ODataBatch`() throws {
        // Example: Sources/OData/Batch/ODataBatch.swift
        var change = ODataChangeRequest(.update, entitySet: "Items", key: 7, properties: ["Price": 3], format: .json)
        change.contentID = "1"
        var batch = ODataBatch()
        batch.append(ODataBatch.Message("GET", "Items?$top=5"))
        batch.append(ODataBatch.ChangeSet([try ODataBatch.Message(change)].compactMap(\.self)))
        let request = try batch.request(serviceRoot: "https://host/shop.svc", boundary: "batch_1")
        // End of example
        #expect(request.url == "https://host/shop.svc/$batch")
        #expect(String(decoding: request.body, as: UTF8.self).contains("PATCH Items(7) HTTP/1.1"))
    }

    @Test func `the example of ODataEntryWriter`() throws {
        // Example: Sources/OData/Changes/ODataEntryWriter.swift
        var writer = ODataEntryWriter(version: .v2, format: .atom)
        writer.types = ["Price": "Edm.Decimal"]
        let body = try writer.text(of: ["Name": "Milk", "Price": "2.50"])
        // End of example
        #expect(body.contains("<d:Price m:type=\"Edm.Decimal\">2.50</d:Price>"))
    }

    @Test func `the example of ODataKey`() throws {
        // Example: Sources/OData/Changes/ODataKey.swift
        let single = try ODataKey(1003).text()
        let name = try ODataKey("O'Neil").text()
        let several = try ODataKey(["OrderID": 7, "Line": "a"]).text()
        // End of example
        #expect([single, name, several] == ["1003", "'O''Neil'", "OrderID=7,Line='a'"])
    }

    @Test func `the example of ODataAnswer`() throws {
        // Example: Sources/OData/Payloads/ODataAnswer.swift
        let answer = try ODataAnswer(
            status: 201, headers: [("OData-Version", "4.0"), ("ETag", "W/\"1\"")], body: Array(#"{"ID":7}"#.utf8))
        let etag = answer.etag
        let key = answer.entry?["ID"]
        // End of example
        #expect(etag == "W/\"1\"" && key?.canonicalText == "7")
    }

    @Test func `the article about exchange`() throws {
        let metadata = Array(
            """
            <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Shop"><EntityType Name="Item"><Key>\
            <PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32"/><Property Name="Name" Type="Edm.String"/>\
            <Property Name="Price" Type="Edm.Decimal"/></EntityType><EntityContainer Name="C">\
            <EntitySet Name="Items" EntityType="Shop.Item"/></EntityContainer></Schema>
            """.utf8)
        let feed = Array(
            """
            {"value":[{"@odata.etag":"W/\\"1\\"","ID":1,"Name":"Milk","Price":2.50},{"ID":2,"Name":"Tea","Price":4}],\
            "@odata.nextLink":"Items?$skiptoken=2"}
            """.utf8)
        let headers = [("OData-Version", "4.0"), ("Content-Type", "application/json")]
        // Example: Sources/OData/OData.docc/Exchange.md
        let model = try EdmModel(csdl: metadata)
        let options = PayloadOptions(baseURL: "https://host/shop/Items", model: model, entityType: "Shop.Item")
        let answer = try ODataAnswer(status: 200, headers: headers, body: feed, options: options)
        let entries = answer.feed?.entries ?? []
        let next = answer.nextLink?.resolved
        // End of example
        #expect(entries.count == 2 && next == "https://host/shop/Items?$skiptoken=2")

        // Example: Sources/OData/OData.docc/Exchange.md
        let runner = try ODataOptionRunner(
            "$filter=Price lt 3&$orderby=Name", model: model, entityType: "Shop.Item")
        let cheap = try runner.apply(to: entries).entities
        // End of example
        #expect(cheap.count == 1)

        let item = entries[0]
        // Example: Sources/OData/OData.docc/Exchange.md
        var change = ODataChangeRequest(
            .update, entitySet: "Items", key: 1, properties: ["Price": "2.75", "Name": "Milk"],
            original: ["Price": "2.50", "Name": "Milk"], etag: item.etag, model: model)
        change.returns = .minimal
        let method = change.method
        let url = try change.url()
        let body = try change.body()
        // End of example
        #expect(method == "PATCH" && url == "Items(1)" && body == #"{"Price":2.75}"#)

        // Example: Sources/OData/OData.docc/Exchange.md
        change.contentID = "1"
        let removal = ODataChangeRequest(.delete, entitySet: "Items", key: 2, model: model)
        var batch = ODataBatch()
        batch.append(ODataBatch.Message("GET", "Items/$count"))
        batch.append(ODataBatch.ChangeSet([try ODataBatch.Message(change)].compactMap(\.self)))
        batch.append(ODataBatch.ChangeSet([try ODataBatch.Message(removal)].compactMap(\.self)))
        let request = try batch.request(serviceRoot: "https://host/shop/")
        // End of example
        #expect(request.headers[0].value.hasPrefix("multipart/mixed; boundary=batch_"))

        let received = Array(
            """
            --b\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n2\r\n\
            --b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\nContent-Type: application/http\r\n\
            Content-ID: 1\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n\r\n--c--\r\n--b\r\nContent-Type: application/http\r\n\r\n\
            HTTP/1.1 412 Precondition Failed\r\n\r\n\r\n--b--\r\n
            """.utf8)
        let receivedType = ContentType("multipart/mixed; boundary=b")
        // Example: Sources/OData/OData.docc/Exchange.md
        let answers = try ODataBatch(reading: received, contentType: receivedType, direction: .response)
        for (sent, message) in zip(batch.messages, try answers.answers(to: batch, format: .multipart)) {
            guard let message, let status = message.status else { continue }
            let part = try ODataAnswer(
                status: status, headers: message.headers.map { ($0.name, $0.value) }, body: message.body ?? [])
            print(sent.contentID ?? "-", part.status, part.error?.message ?? "")
        }
        // End of example
        #expect(answers.messages.map(\.status) == [200, 204, 412])
    }
}
