import Platform
import SQLiteAccess
import Soups

/// Waits while another process alters a soup, for as long as the busy timeout says.
///
/// A running alteration holds the writer's lock in each of its steps and releases it for moments only, and each step
/// changes its status row. If the lock stays free and the row stays the same, no process is working on it: the process
/// that began it has ended, or its call was cancelled.
struct AlterationWait {
    private let soup: String
    private let start = ContinuousClock.now
    private let patience: Duration
    private var pause = Duration.milliseconds(1)
    private var lastStatus: [LongOperation.Progress] = []
    private var isIdleSince: ContinuousClock.Instant?

    /// Longer than SQLite ever sleeps between two attempts to get the lock (100 ms).
    private static let idleTime = Duration.milliseconds(500)

    init(soup: String, patience: Int) {
        self.soup = soup
        self.patience = .milliseconds(patience)
    }

    /// Waits a little, outside of any transaction, before the caller checks again.
    ///
    /// - Throws: `busy` if the time is over, or no process is working on the soup.
    mutating func pause(_ session: StoreSession) throws(Fault) {
        try session.connection.checkCall()
        try look(session)
        let now = ContinuousClock.now
        if let isIdleSince, now - isIdleSince >= Self.idleTime {
            throw abandoned
        }
        let left = patience - (now - start)
        guard left > .zero else {
            throw underWay
        }
        CurrentThread.sleep(min(pause, left))
        pause = min(pause * 2, .milliseconds(50))
    }

    /// Notes since when no process has been working on the soup.
    private mutating func look(_ session: StoreSession) throws(Fault) {
        let status = try LongOperation.progress(session.connection)
        let isFree = session.options.access == .readOnly ? false : try session.connection.canLockForWriting()
        defer { lastStatus = status }
        if !isFree || status != lastStatus {
            isIdleSince = nil
        } else if isIdleSince == nil {
            isIdleSince = .now
        }
    }

    private var underWay: Fault {
        Fault(
            .busy,
            """
            another process is altering this soup; waited \(patience) for it: try again when it is done, or \
            call resumeAlterations if that process has ended
            """, context: [.soup(soup)])
    }

    private var abandoned: Fault {
        Fault(
            .busy,
            """
            an alteration of this soup is unfinished, and no process is working on it: call \
            resumeAlterations, or open the store for writing again
            """, context: [.soup(soup)])
    }
}
