import Soups

/// Remembers the files that an alteration writes, so that a rollback removes them.
///
/// A file that already existed is kept: if a transaction moves a soup into its table and out again, a rollback restores
/// the rows that name it.
final class WrittenElements {
    private let files: ElementFiles
    private var places: [ElementPlace] = []

    init(_ files: ElementFiles) { self.files = files }

    func write(_ text: [UInt8], to place: ElementPlace) throws(Fault) {
        if !files.exists(place) {
            places.append(place)
        }
        try files.write(text, to: place)
    }

    func remove() {
        for place in places {
            files.remove(place)
        }
    }
}
