extension SmartStore {
    /// The numbers of those who wait for their turn to write, for room to read, and for a change: for a runner that
    /// lets others begin in an order.
    package var waitingCallers: (writers: Int, readers: Int, watchers: Int) {
        let gate = connections.gate
        return (gate.waitingCount(.writing), gate.waitingCount(.reading), hub.numbers.waiting)
    }
}
