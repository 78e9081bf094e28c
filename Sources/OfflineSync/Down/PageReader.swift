import JSONText
import Soups

/// Reads the records of a page, once, from its bytes.
struct PageReader: Sendable {
    /// The most records of one page.
    static let greatestCount = 1_000_000

    let form: RecordForm

    init(_ form: RecordForm) { self.form = form }

    /// The page of a JSON array.
    ///
    /// - Throws: `malformedAnswer`, `limitExceeded`.
    func page(ofArray bytes: [UInt8]) throws(Fault) -> DownPage {
        try Self.reading(bytes) { (root) throws(WrongForm) in
            guard root.kind == .array else { throw WrongForm("the records are not an array") }
            return try records(root, bytes)
        }
    }

    /// The page of the elements of an array.
    func records(_ array: JSONNode, _ bytes: [UInt8]) throws(WrongForm) -> DownPage {
        var records: [DownRecord] = []
        var unreadable = 0
        for element in array.elements {
            let found = try form.read(element)
            try Self.check(count: records.count + 1)
            records.append(found.record)
            unreadable += found.hasUnreadableDate ? 1 : 0
        }
        var page = DownPage(bytes: bytes, records: records)
        page.unreadableDates = unreadable
        return page
    }

    static func check(count: Int) throws(WrongForm) {
        guard count <= greatestCount else { throw WrongForm.tooMany }
    }

    /// Reads a text onto a tape and works with its value.
    ///
    /// - Throws: `malformedAnswer` for a text that is not JSON or has another form; `limitExceeded`. A caller that
    ///   knows the request adds it.
    static func reading<R>(_ bytes: [UInt8], _ work: (JSONNode) throws(WrongForm) -> R) throws(Fault) -> R {
        let tape = JSONTape()
        var result: R?
        do {
            try bytes.withUnsafeBytes { text in
                try tape.read(text)
                result = try tape.withRoot(work)
            }
        } catch let error as JSONError {
            if error.code == .limitExceeded {
                throw Fault(.limitExceeded, "the answer is nested too deeply or too long")
            }
            throw Fault(.malformedAnswer, "the answer is not JSON, or cut")
        } catch let error as WrongForm {
            throw Fault(error.isLimit ? .limitExceeded : .malformedAnswer, error.text)
        } catch {
            throw Fault(.malformedAnswer, "the answer cannot be read")
        }
        guard let result else { throw Fault(.malformedAnswer, "the answer is empty") }
        return result
    }
}

extension WrongForm {
    static let tooMany = WrongForm("a page has more than \(PageReader.greatestCount) records", isLimit: true)
    static let tooManyEmptyPages = WrongForm(
        "more than \(NextLink.greatestEmptyRun) pages in a row have no record", isLimit: true)
}
