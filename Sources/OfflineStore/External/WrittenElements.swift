import Soups

/// Remembers the files that an alteration writes, so that a rollback removes them.
///
/// A file that already existed is kept: if a transaction moves a soup into its table and out again, a rollback restores
/// the rows that name it.
final class WrittenElements {
    private let files: ElementFiles
    private var elements: [ElementVersion] = []

    init(_ files: ElementFiles) { self.files = files }

    func write(_ text: [UInt8], to element: ElementVersion) throws(Fault) {
        if !files.exists(element) {
            elements.append(element)
        }
        try files.write(text, to: element)
    }

    func remove() {
        for element in elements {
            files.remove(element)
        }
    }
}
