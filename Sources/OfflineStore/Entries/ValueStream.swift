public import EntryCoding
import Soups

/// Gives the values that match a query one at a time. Each iterator reads from the beginning.
public struct ValueStream<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    public typealias Element = Identified<Value>
    public typealias Failure = any Error

    let store: SmartStore
    let spec: QuerySpec
    let soup: String
    let coding: CodingOptions

    /// Reads a page when the one before is used up.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// One entry with its id.
        public typealias Element = Identified<Value>
        public typealias Failure = any Error

        private let stream: ValueStream
        private let reader: ValueReader
        private var cursor: StoreCursor?
        private var entries = EntryList()
        private var position = 0
        private var isOver = false

        init(_ stream: ValueStream) {
            self.stream = stream
            reader = ValueReader(stream.coding)
        }

        /// Returns the next value; nil after the last.
        ///
        /// - Throws: what reading and decoding throw; `CancellationError`. Nil follows.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Identified<Value>? {
            do {
                while position >= entries.count {
                    guard !isOver, let next = try await Self.nextPage(after: cursor, of: stream) else {
                        isOver = true
                        return nil
                    }
                    cursor = next
                    entries = next.currentPage.entries
                    position = 0
                }
                position += 1
                return try reader.value(Value.self, entries[position - 1])
            } catch {
                isOver = true
                entries = EntryList()
                throw error
            }
        }

        /// Reads the next value as the other form does.
        public mutating func next() async throws -> Identified<Value>? { try await next(isolation: nil) }

        /// Returns the cursor on its next page; `nil` after the last page.
        private static func nextPage(
            after cursor: StoreCursor?, of stream: ValueStream
        ) async throws -> StoreCursor? {
            if let cursor {
                guard cursor.hasNextPage else { return nil }
                try await cursor.moveToNextPage()
                return cursor
            }
            guard stream.spec.selectPaths == nil else {
                throw Fault(.invalidQuerySpec, "a query that selects paths gives rows and not entries: use a cursor")
            }
            return try await stream.store.query(stream.spec, soup: stream.soup)
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
