import Benchmarking
import Conformance

/// One page: a row for each area, a column for each back end, and below them the cases that did not pass. A cell has a
/// letter and the number of cases as well as a colour.
struct ConformMatrix {
    private let results: [CaseResult]
    private let backEnds: [String]
    private let areas: [String]

    init(_ results: [CaseResult]) {
        self.results = results
        backEnds = ConformanceReport(results).backEnds
        var areas: [String] = []
        for result in results where !areas.contains(result.area) {
            areas.append(result.area)
        }
        self.areas = areas
    }

    var html: String {
        let head = ["area"] + backEnds
        let rows = areas.map { area in
            "<tr><th scope=\"row\"><a href=\"#\(Self.anchor(area))\">\(Markup.escape(area))</a></th>"
                + backEnds.map { cell(area, $0) }.joined() + "</tr>\n"
        }
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>Conformance</title><style>\(PageStyle.css)\(Self.css)</style></head><body><main>
            <h1>Conformance</h1>
            <p>\(Markup.escape(totals))</p>
            <p class="key"><b class="p">P</b> all pass <b class="e">E</b> expected failures <b class="s">S</b> some skipped \
            <b class="n">N</b> none ran <b class="f">F</b> failures. Numbers: passed / all.</p>
            <div class="wide"><table><thead><tr>\(head.map { "<th scope=\"col\">\(Markup.escape($0))</th>" }.joined())</tr></thead>
            <tbody>
            \(rows.joined())</tbody></table></div>
            \(areas.map(details).joined())</main></body></html>

            """
    }

    private static let css = """

        td.p,b.p{background:#1d6f42;color:#fff}td.e,b.e{background:#8a6d00;color:#fff}td.s,b.s{background:#0b57a4;color:#fff}
        td.n,b.n{background:#5c636e;color:#fff}td.f,b.f{background:#a01d4b;color:#fff}
        td.p,td.e,td.s,td.n,td.f{padding:4px 10px;border:1px solid var(--ground)}td a{color:inherit}.key b{padding:1px 6px;margin-left:10px}
        """

    private var totals: String {
        backEnds.map { name in
            let own = results.filter { $0.backEnd == name }
            return "\(name): \(own.filter { $0.status == .pass }.count) of \(own.count) cases pass"
        }.joined(separator: "; ") + "."
    }

    private func cell(_ area: String, _ backEnd: String) -> String {
        let own = results.filter { $0.area == area && $0.backEnd == backEnd }
        let passed = own.filter { $0.status == .pass }.count
        let letter = Self.letter(own.map(\.status))
        return
            "<td class=\"\(letter.lowercased())\"><a href=\"#\(Self.anchor(area))\">\(letter) \(passed)/\(own.count)</a></td>"
    }

    /// The worst thing first.
    private static func letter(_ statuses: [CaseStatus]) -> String {
        if statuses.contains(where: \.isRed) {
            return "F"
        }
        if !statuses.contains(where: \.isExecuted) {
            return "N"
        }
        if statuses.contains(.expectedFail) {
            return "E"
        }
        return statuses.contains(.skip) ? "S" : "P"
    }

    private func details(_ area: String) -> String {
        let rows = results.filter { $0.area == area && $0.status != .pass }
        let table = Markup.table(
            ["case", "on", "status", "detail"], rows.map { [$0.id, $0.backEnd, $0.status.rawValue, $0.detail] })
        let passed = results.filter { $0.area == area && $0.status == .pass }
        let ids = passed.reduce(into: [String]()) { ids, result in
            if !ids.contains(result.id) {
                ids.append(result.id)
            }
        }
        return "<section id=\"\(Self.anchor(area))\"><h2>\(Markup.escape(area))</h2>\n"
            + (rows.isEmpty ? "<p>Nothing failed or was skipped.</p>\n" : table)
            + "<details><summary>\(ids.count) cases that passed somewhere</summary><p>"
            + Markup.escape(ids.joined(separator: ", ")) + "</p></details></section>\n"
    }

    private static func anchor(_ area: String) -> String {
        "area-"
            + String(
                String.UnicodeScalarView(
                    area.unicodeScalars.map { $0.properties.isAlphabetic || ("0"..."9").contains($0) ? $0 : "-" }))
    }
}
