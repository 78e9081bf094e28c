import Soups

extension DownContext {
    /// Gives the ids of all records of a query, page by page.
    func ids(
        of query: String, idField: String, batchSize: Int = SOQLTarget.greatestBatch,
        _ take: @Sendable ([RecordId]) throws -> Void
    ) async throws {
        let form = RecordForm(idField: idField, modificationField: idField)
        var page = try QueryAnswer.page(await rows(of: query, batchSize: batchSize), form, after: nil)
        try take(page.records.map(\.id))
        while let link = page.continuation as? NextLink {
            page = try QueryAnswer.page(await follow(link), form, after: link)
            try take(page.records.map(\.id))
        }
    }
}
