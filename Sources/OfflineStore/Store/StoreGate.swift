import Platform
import SQLiteAccess

/// Decides which threads may use a store's connections: one writing thread (which may enter again), several readers at
/// the same time, and no other thread while the writer has asked to be alone.
///
/// Writers are admitted in the order in which they came, whether they block a thread or await; and so are readers. A
/// waiting thread is blocked; a waiting asynchronous call is a suspended continuation. A released right goes directly
/// to the first in the queue, so that newcomers cannot overtake.
///
/// `@unchecked Sendable`: every access to the state below holds `lock`, except where a comment says that one thread
/// owns it.
final class StoreGate: @unchecked Sendable {
    private let lock = Lock()
    /// Signalled when the last reader or copy leaves, and when one asks to write, while the writer waits for them.
    private let readersMoved = Condition()
    // The lock is the proof of exclusive access; the check at run time would cost a reading call more than the lock
    // does.
    @exclusivity(unchecked) private var writer: ThreadID?
    @exclusivity(unchecked) private var depth = 0
    /// An asynchronous call was admitted as the writer and does not have its thread yet.
    @exclusivity(unchecked) private var isWriterReserved = false
    @exclusivity(unchecked) private var isAlone = false
    @exclusivity(unchecked) private var readers: [ThreadID] = []
    /// The number of asynchronous calls that were admitted as readers and do not have their threads yet.
    @exclusivity(unchecked) private var reservedReaders = 0
    @exclusivity(unchecked) private var waitingWriters: [GateTicket] = []
    @exclusivity(unchecked) private var waitingReaders: [GateTicket] = []
    /// The threads that copy the file through a connection of their own, and those that wait to.
    @exclusivity(unchecked) private var copying: [ThreadID] = []
    @exclusivity(unchecked) private var waitingCopies: [GateTicket] = []
    @exclusivity(unchecked) private var keepsNewCopiesOut = false
    @exclusivity(unchecked) private var readingCalls: [(thread: ThreadID, cancellation: Cancellation)] = []
    /// The asynchronous call that writes. Set and read by the thread that writes only.
    @exclusivity(unchecked) private(set) var writingCall: Cancellation?
    /// How many may read at the same time. Set inside the lock.
    @exclusivity(unchecked) var maximumReaders: Int

    /// What a call asks for.
    enum Access: Sendable {
        case writing
        case reading
    }

    init(maximumReaders: Int) {
        self.maximumReaders = max(1, maximumReaders)
    }

    /// Runs a short piece of work that excludes other threads: for the lists of connections.
    func locked<R>(_ body: () -> R) -> R { lock.locked(body) }
}

// MARK: - Blocking callers
extension StoreGate {
    /// Waits until no other thread writes, then makes the caller the writer. Returns the nesting depth: 1 for the
    /// outermost call.
    func enterWriting() -> Int {
        locked {
            let me = ThreadID.current
            if writer == me {
                depth += 1
            } else if writer == nil, !isWriterReserved {
                writer = me
                depth = 1
            } else {
                let ticket = GateTicket()
                waitingWriters.append(ticket)
                // A writer that waits for this thread lets it write first.
                if isAlone || keepsNewCopiesOut {
                    readersMoved.signal()
                }
                // The thread that leaves makes this thread the writer before waking it.
                ticket.wait(lock)
            }
            return depth
        }
    }

    func leaveWriting() {
        let next = locked { () -> (writer: GateTicket.Call?, readers: [GateTicket.Call])? in
            depth -= 1
            guard depth == 0 else { return nil }
            writer = nil
            let wasAlone = isAlone
            isAlone = false
            return (admitWriter(), wasAlone ? admitReaders() : [])
        }
        guard let next else { return }
        next.writer?.proceed(true)
        for call in next.readers {
            call.proceed(true)
        }
    }

    /// Waits until the readers have left and keeps new ones out until the writer leaves. Returns false if the caller is
    /// itself a reader.
    ///
    /// A reader that asks to write in the meantime writes first: it would wait for the caller, and the caller for it.
    /// If the caller is inside a transaction, nothing can come before it, and it is refused too.
    func becomeAlone() -> Bool {
        var admitted: [GateTicket.Call] = []
        let isPossible = locked {
            let me = ThreadID.current
            isAlone = true
            while !readers.isEmpty || reservedReaders > 0 {
                let waiting = waitingWriters.firstIndex { $0.thread.map(isReader) ?? false }
                if isReader(me) || (waiting != nil && isInsideCall) {
                    isAlone = false
                    admitted = admitReaders()
                    return false
                }
                lendOrWait(waiting)
            }
            return true
        }
        for call in admitted {
            call.proceed(true)
        }
        return isPossible
    }

    /// Lets the caller copy the file through a connection of its own. Waits while a writer keeps copies out.
    func enterCopying() {
        locked {
            guard keepsNewCopiesOut else {
                copying.append(.current)
                return
            }
            let ticket = GateTicket()
            waitingCopies.append(ticket)
            ticket.wait(lock)
        }
    }

    func leaveCopying() {
        locked {
            copying.removeAll { $0 == .current }
            if keepsNewCopiesOut, copying.isEmpty {
                readersMoved.signal()
            }
        }
    }

    /// Waits until the copies have ended, and keeps new ones out until `letCopiesIn`. The caller is the writer, outside
    /// other calls. Returns false if it copies or reads itself.
    ///
    /// Readers go on in the meantime, and so does a copy that asks to write, or a reader that does, for which a copy
    /// may wait: it writes first.
    func keepCopiesOut() -> Bool {
        locked {
            let me = ThreadID.current
            guard !copying.contains(me), !isReader(me) else { return false }
            keepsNewCopiesOut = true
            while !copying.isEmpty {
                let waiting = waitingWriters.firstIndex { ticket in
                    ticket.thread.map { copying.contains($0) || isReader($0) } ?? false
                }
                lendOrWait(waiting)
            }
            return true
        }
    }

    /// Lets copies and readers in again.
    func letCopiesIn() {
        let admitted = locked {
            keepsNewCopiesOut = false
            for ticket in waitingCopies {
                if let thread = ticket.thread {
                    copying.append(thread)
                }
                ticket.grant()
            }
            waitingCopies.removeAll()
            isAlone = false
            return admitReaders()
        }
        for call in admitted {
            call.proceed(true)
        }
    }

    /// Whether the calling thread is inside a call that writes.
    var isWriter: Bool { locked { writer == .current } }

    /// Whether the calling thread is inside a call that writes, reads or copies.
    var isInside: Bool {
        locked {
            let me = ThreadID.current
            return writer == me || isReader(me) || copying.contains(me)
        }
    }

    /// Lets the caller read. Returns false if the caller is the writer, which must read through the writing connection.
    /// Otherwise waits until there is room, and runs `take` under the same lock, with the asynchronous call that the
    /// thread works for.
    func enterReading(_ take: (_ call: Cancellation?) -> Void) -> Bool {
        locked {
            let me = ThreadID.current
            if writer == me {
                return false
            }
            if hasRoom || isReader(me) {
                // A thread that is reading already is admitted at once, because otherwise it would wait for itself.
                readers.append(me)
            } else {
                let ticket = GateTicket()
                waitingReaders.append(ticket)
                ticket.wait(lock)
            }
            take(readingCalls.isEmpty ? nil : readingCall(of: me))
            return true
        }
    }

    /// Ends reading; `give` runs under the same lock.
    func leaveReading<R>(_ give: () -> R) -> R {
        let (result, admitted) = locked {
            leaveReaders(.current)
            return (give(), waitingReaders.isEmpty ? [] : admitReaders())
        }
        for call in admitted {
            call.proceed(true)
        }
        return result
    }
}

// MARK: - Asynchronous callers
extension StoreGate {
    /// Admits an asynchronous call, now or when it is its turn. A call that is cancelled before is not admitted.
    func submit(_ call: GateTicket.Call, for access: Access) {
        let answer = locked { () -> Bool? in
            // `withdraw` is called after the flag is set, and searches the queues under this lock: one of the two sees
            // the other.
            if call.cancellation.isCancelled {
                return false
            }
            switch access {
            case .writing:
                if writer == nil, !isWriterReserved {
                    isWriterReserved = true
                    return true
                }
                waitingWriters.append(GateTicket(call: call))
            case .reading:
                if hasRoom {
                    reservedReaders += 1
                    return true
                }
                waitingReaders.append(GateTicket(call: call))
            }
            return nil
        }
        if let answer {
            call.proceed(answer)
        }
    }

    /// Takes a cancelled call out of its queue; does nothing if it was admitted already.
    func withdraw(_ cancellation: Cancellation) {
        let withdrawn = locked { () -> GateTicket? in
            let belongs = { (ticket: GateTicket) in ticket.call?.cancellation === cancellation }
            if let index = waitingWriters.firstIndex(where: belongs) {
                return waitingWriters.remove(at: index)
            }
            return waitingReaders.firstIndex(where: belongs).map { waitingReaders.remove(at: $0) }
        }
        withdrawn?.call?.proceed(false)
    }

    /// Runs the work of an admitted call on the calling thread, which holds the admission until the work is done.
    func run<R>(_ cancellation: Cancellation, for access: Access, _ work: () throws -> R) rethrows -> R {
        adopt(cancellation, for: access)
        defer { release(access) }
        return try work()
    }

    /// Ends reading for an admitted call that has no thread yet.
    func giveUpReading() {
        let admitted = locked {
            reservedReaders -= 1
            if isAlone, readers.isEmpty, reservedReaders == 0 {
                readersMoved.signal()
            }
            return admitReaders()
        }
        for call in admitted {
            call.proceed(true)
        }
    }

    private func adopt(_ cancellation: Cancellation, for access: Access) {
        locked {
            switch access {
            case .writing:
                isWriterReserved = false
                writer = .current
                depth = 1
                writingCall = cancellation
            case .reading:
                reservedReaders -= 1
                readers.append(.current)
                readingCalls.append((.current, cancellation))
            }
        }
    }

    private func release(_ access: Access) {
        switch access {
        case .writing:
            writingCall = nil
            leaveWriting()
        case .reading:
            leaveReading {
                let me = ThreadID.current
                readingCalls.removeAll { $0.thread == me }
            }
        }
    }
}

// MARK: - Inside the lock
extension StoreGate {
    /// How many callers wait: for tests that let them come one after another.
    func waitingCount(_ access: Access) -> Int {
        locked { access == .writing ? waitingWriters.count : waitingReaders.count }
    }

    /// Whether new copies wait. For tests.
    var keepsCopiesOut: Bool { locked { keepsNewCopiesOut } }

    /// Whether the writer is alone, or waits for that. For tests.
    var keepsReadersOut: Bool { locked { isAlone } }

    private var hasRoom: Bool { !isAlone && readers.count + reservedReaders < maximumReaders }

    private func isReader(_ thread: ThreadID) -> Bool { readers.contains(thread) }

    /// Whether the writer is inside another call, such as `transaction`. An asynchronous call counts once for itself.
    var isInsideCall: Bool { depth > (writingCall == nil ? 1 : 2) }

    /// Lets a waiting thread write first, or waits until a reader or a copy moves.
    private func lendOrWait(_ position: Int?) {
        if let position {
            lend(to: position)
        } else {
            readersMoved.wait(lock)
        }
    }

    /// Lets a waiting thread write, and waits until it has done so.
    private func lend(to position: Int) {
        let (own, call, wasAlone) = (depth, writingCall, isAlone)
        let ticket = waitingWriters.remove(at: position)
        let mine = GateTicket()
        waitingWriters.insert(mine, at: 0)
        writer = ticket.thread
        depth = 1
        writingCall = nil
        ticket.grant()
        mine.wait(lock)
        // The thread that has written let waiting readers in.
        (depth, writingCall, isAlone) = (own, call, wasAlone)
    }

    private func readingCall(of thread: ThreadID) -> Cancellation? {
        readingCalls.first { $0.thread == thread }?.cancellation
    }

    private func leaveReaders(_ me: ThreadID) {
        if readers.last == me {
            readers.removeLast()
        } else if let index = readers.lastIndex(of: me) {
            readers.remove(at: index)
        }
        if isAlone, readers.isEmpty, reservedReaders == 0 {
            readersMoved.signal()
        }
    }

    /// Makes the first in the queue the writer. If that is an asynchronous call, returns it, to be started once the
    /// lock is released.
    private func admitWriter() -> GateTicket.Call? {
        guard !waitingWriters.isEmpty else { return nil }
        let ticket = waitingWriters.removeFirst()
        if let thread = ticket.thread {
            writer = thread
            depth = 1
        } else {
            isWriterReserved = true
        }
        ticket.grant()
        return ticket.call
    }

    /// Admits readers, in order, while there is room. Returns the asynchronous calls among them, to be started once the
    /// lock is released.
    private func admitReaders() -> [GateTicket.Call] {
        var calls: [GateTicket.Call] = []
        while hasRoom, !waitingReaders.isEmpty {
            let ticket = waitingReaders.removeFirst()
            if let thread = ticket.thread {
                readers.append(thread)
            } else {
                reservedReaders += 1
            }
            ticket.grant()
            if let call = ticket.call {
                calls.append(call)
            }
        }
        return calls
    }
}
