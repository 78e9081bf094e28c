import CSQLite
import CSQLiteLinked
import Soups

extension SQLiteLibrary {
    /// The library that is linked with this package; nil if no trait links one. Its table is filled once.
    private static let linked: Result<SQLiteLibrary, Fault>? = {
        var table = sq_api()
        let name: String
        let flavour: Flavour
        switch sq_linked_table(&table) {
        case SQ_LINKED_CIPHER: (name, flavour) = ("SQLCipher", .cipher)
        case SQ_LINKED_PLAIN: (name, flavour) = ("SQLite", .plain)
        default: return nil
        }
        do throws(Fault) {
            return .success(
                try SQLiteLibrary(flavour: flavour, path: name, source: .linked(name: name), table: table))
        } catch {
            return .failure(error)
        }
    }()

    /// The linked library if it is of a flavour. A linked library that is refused is an error: the program was built to
    /// use it.
    static func linked(_ flavour: Flavour) throws(Fault) -> SQLiteLibrary? {
        guard let library = try linked?.get(), library.flavour == flavour else { return nil }
        return library
    }
}
