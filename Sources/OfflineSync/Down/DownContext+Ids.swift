import Soups

extension DownContext {
    /// Gives the ids of all records of a query, page by page.
    func ids(
        of query: String, idField: String, batchSize: Int = SOQLTarget.greatestBatch,
        _ take: @Sendable ([RecordId]) throws -> Void
    ) async throws {
        let form = RecordForm(idField: idField, modificationField: idField)
        var (ids, next) = try QueryAnswer.ids(await rows(of: query, batchSize: batchSize), form, after: nil)
        try take(ids)
        while let link = next {
            (ids, next) = try QueryAnswer.ids(await follow(link), form, after: link)
            try take(ids)
        }
    }
}
