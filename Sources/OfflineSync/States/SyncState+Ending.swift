import Soups

extension SyncState {
    /// Ends a run with what cut it off: a stop, a failed call, a fault, or another error of a custom target.
    mutating func end(_ error: any Error, at time: Int64) {
        switch error {
        case is RunStopped, is CancellationError: end(.stopped, at: time)
        default: fail(FailedCall(error), at: time)
        }
    }

    private mutating func fail(_ failure: FailedCall, at time: Int64) {
        end(.failed, at: time)
        errorCode = failure.fault.code
        self.failure = failure.fault
        error = failure.rowText
    }
}
