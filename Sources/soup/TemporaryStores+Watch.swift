import Conformance

extension TemporaryStores {
    /// Removes what killed processes left, and says so. From now on, the folders of this process are removed when it is
    /// asked to end.
    static func watch(command: String) {
        for path in removeLeftOver() {
            StandardError.say("\(command): removed \(path), left by a process that was killed")
        }
        CleanEnd.watch { TemporaryStores.removeOwn() }
    }
}
