/// The files of external entries that one call has written to one soup.
///
/// They belong to that call alone: it may write over them, because they are removed as a whole if it fails. So an entry
/// that a call changes twice gets one date, as in a soup without external storage.
struct OwnFiles {
    private var versions: [Int64: Int64] = [:]
    private var call = 0

    func contain(_ element: ElementVersion, ofCall number: Int) -> Bool {
        number == call && versions[element.id] == element.version
    }

    mutating func add(_ element: ElementVersion, ofCall number: Int) {
        if number != call {
            versions.removeAll()
            call = number
        }
        versions[element.id] = element.version
    }
}
