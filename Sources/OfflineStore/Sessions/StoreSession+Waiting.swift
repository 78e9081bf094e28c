import SQLiteAccess
import Soups

extension StoreSession {
    /// Runs work that is an outermost transaction. If an alteration by another process prevents it, waits for that and
    /// runs the work again.
    ///
    /// The work must look up its soups before it does anything that must not be done twice.
    func waitingForAlterations<R>(_ work: () throws(Fault) -> R) throws(Fault) -> R {
        var wait: AlterationWait?
        while true {
            do throws(Fault) {
                return try work()
            } catch {
                // Compared by message, because a fault about Smart SQL also has an offset into the text.
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

    /// Notes that an alteration keeps the soup from being used, and returns the fault for it.
    func blockedByAlteration(_ soup: String) -> Fault {
        let fault = Fault(
            .busy,
            """
            an alteration of this soup is unfinished, and a call inside a transaction cannot wait for it: end the \
            transaction and try again, or call resumeAlterations if the process that altered it has ended
            """, context: [.soup(soup)])
        alterationInTheWay = (soup, fault)
        return fault
    }
}
