package import CSQLite
package import Soups

extension Connection {
    /// Lends SQLite's functions and its handle to calls in C: the direct calls against which benchmarks measure the
    /// store.
    ///
    /// The pointers are valid inside `body` only. The thread rule is that of the connection: one thread at a time.
    ///
    /// - Throws: `closed`, and what `body` throws.
    package func withRawHandle<Result>(
        _ body: (_ table: UnsafePointer<sq_api>, _ database: OpaquePointer) throws(Fault) -> Result
    ) throws(Fault) -> Result {
        try requireOpen()
        return try body(handle.table, handle.database)
    }

    /// Returns the fault for the result code of such a call. Its message quotes no value.
    package func fault(forResult result: Int32, doing action: String) -> Fault {
        .sqlite(result, handle, doing: action, mayQuoteValues: true)
    }
}
