import SQLiteAccess
import Soups

extension StoreSession {
    /// Runs work that is an outermost transaction; where an alteration by another process is in its way, waits for that
    /// and runs the work again.
    ///
    /// The work must look up its soups before it does anything that could not be done twice.
    func waitingForAlterations<R>(_ work: () throws(Fault) -> R) throws(Fault) -> R {
        var wait: AlterationWait?
        while true {
            do throws(Fault) {
                return try work()
            } catch {
                // By its message: a fault about Smart SQL has the place in the text besides.
                guard let (soup, fault) = alterationInTheWay, fault.message == error.message else {
                    throw error
                }
                alterationInTheWay = nil
                var current = wait ?? AlterationWait(soup: soup, patience: options.settings.busyTimeout)
                try current.pause(self)
                wait = current
            }
        }
    }

    /// Notes that an alteration keeps the soup from being used, and returns the fault that says so.
    func blockedByAlteration(_ soup: String) -> Fault {
        let fault = Fault(
            .busy,
            """
            an alteration of this soup is unfinished, and a call inside a transaction cannot wait for it: end the \
            transaction and try again, or call resumeAlterations where the process that altered has ended
            """, context: [.soup(soup)])
        alterationInTheWay = (soup, fault)
        return fault
    }
}
