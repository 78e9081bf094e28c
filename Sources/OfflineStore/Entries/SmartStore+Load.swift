public import JSONText
public import Soups

/// Tells how far loading has come, and at the end what was loaded.
public struct LoadProgress: Sendable, Hashable {
    /// Entries that are stored for good.
    public var entries = 0
    /// Lines read, blank ones included.
    public var lines = 0

    public init(entries: Int = 0, lines: Int = 0) {
        self.entries = entries
        self.lines = lines
    }
}

extension SmartStore {
    /// Stores a file of JSON entries, one on each line, in transactions of so many entries.
    ///
    /// Memory is bounded by the longest line and the pages of one transaction, whatever the length of the file. Inside
    /// `transaction` all of it is one.
    ///
    /// - Throws: as `upsert`; `invalidEntry` names the line (`Fault.line`) and counts its offset in the file. The
    ///   transactions before it stay: `progress` told of them.
    @discardableResult
    public func load(
        jsonLines path: String, into soup: String, externalIdPath: String? = nil, entriesPerTransaction: Int = 1000,
        progress: ((LoadProgress) -> Void)? = nil
    ) throws(Fault) -> LoadProgress {
        let file = try InputFile(path)
        defer { withExtendedLifetime(file) {} }
        return try load(
            jsonLines: ByteSource(fileDescriptor: file.descriptor), into: soup, externalIdPath: externalIdPath,
            entriesPerTransaction: entriesPerTransaction, progress: progress)
    }

    /// Stores a stream of JSON entries, one on each line.
    @discardableResult
    public func load(
        jsonLines source: ByteSource, into soup: String, externalIdPath: String? = nil,
        entriesPerTransaction: Int = 1000,
        progress: ((LoadProgress) -> Void)? = nil
    ) throws(Fault) -> LoadProgress {
        // The store checks each entry itself.
        let lines = JSONLines(source, checks: false)
        var done = LoadProgress()
        var isOver = false
        while !isOver {
            let count = try writing(.load) { (session, now) throws(Fault) in
                let writer = try session.writer(of: session.soup(soup))
                var count = 0
                while count < max(1, entriesPerTransaction) {
                    guard try Self.advance(lines) else {
                        isOver = true
                        break
                    }
                    do throws(Fault) {
                        try lines.withLine { (line) throws(Fault) in
                            _ = try writer.upsert(line, externalIdPath: externalIdPath, at: now)
                        }
                    } catch {
                        throw error.shifted(by: lines.lineOffset).adding(.line(lines.lineNumber))
                    }
                    count += 1
                }
                session.rows = count
                return count
            }
            done.entries += count
            done.lines = lines.lineNumber
            progress?(done)
        }
        return done
    }

    private static func advance(_ lines: JSONLines) throws(Fault) -> Bool {
        do throws(JSONLineError) {
            return try lines.advance()
        } catch {
            let code: Fault.Code = error.error.code == .limitExceeded ? .limitExceeded : .inputOutput
            throw Fault(code, error.error.message, offset: error.offset, context: [.line(error.line)])
        }
    }
}
