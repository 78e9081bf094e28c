/// Writes test cases as JUnit's XML has them, which CI systems show.
package struct JUnitSuite {
    package enum Finding {
        case passed
        case failure(String)
        case error(String)
        case skipped(String)
    }

    private let name: String
    private var cases = ""
    private var counts = (tests: 0, failures: 0, errors: 0, skipped: 0)

    package init(name: String) { self.name = name }

    package mutating func add(classname: String, name: String, _ finding: Finding) {
        counts.tests += 1
        cases += "  <testcase classname=\"\(Markup.escape(classname))\" name=\"\(Markup.escape(name))\""
        switch finding {
        case .passed: cases += "/>\n"
        case .failure(let message):
            counts.failures += 1
            cases += "><failure message=\"\(Markup.escape(message))\"/></testcase>\n"
        case .error(let message):
            counts.errors += 1
            cases += "><error message=\"\(Markup.escape(message))\"/></testcase>\n"
        case .skipped(let message):
            counts.skipped += 1
            cases += "><skipped message=\"\(Markup.escape(message))\"/></testcase>\n"
        }
    }

    package var text: String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"\(Markup.escape(name))\" tests=\"\(counts.tests)\" "
            + "failures=\"\(counts.failures)\" errors=\"\(counts.errors)\" skipped=\"\(counts.skipped)\">\n\(cases)</testsuite>\n"
    }
}
