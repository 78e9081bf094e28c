import Platform
import Soups

extension Fault {
    /// Makes a fault of an error of the operating system. Paths are left out, they may hold a user's name.
    init(_ error: SystemError) {
        let code: Fault.Code = error.isDiskFull ? .diskFull : error.isRefused ? .readOnly : .inputOutput
        self.init(code, error.description)
    }

    /// Makes a call of the operating system, whose error becomes a fault.
    static func translating<R>(_ call: @autoclosure () throws(SystemError) -> R) throws(Fault) -> R {
        do { return try call() } catch { throw Fault(error) }
    }
}

extension Folder {
    /// Makes a folder of a store, with those above it that are missing.
    ///
    /// - Throws: `inputOutput`.
    static func makeForStore(_ path: String) throws(Fault) {
        do { try makeAll(path) } catch { throw Fault(.inputOutput, error.description) }
    }
}
