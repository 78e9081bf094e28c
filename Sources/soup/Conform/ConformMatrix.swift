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
        let ran = Set(results.filter(\.status.isExecuted).map(\.area))
        let rows = areas.filter(ran.contains).map { area in
            "<tr><th scope=\"row\"><a href=\"#\(Self.anchor(area))\">\(Markup.escape(area))</a></th>"
                + backEnds.map { cell(area, $0) }.joined() + "</tr>\n"
        }
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>Conformance</title><style>\(PageStyle.css)\(Self.css)</style></head><body><main>
            <h1>Conformance</h1>
            <p>\(Markup.escape(totals))</p>
            <p class="key"><span><b class="p">P</b> all pass</span><span><b class="e">E</b> expected failures</span>\
            <span><b class="s">S</b> some skipped</span><span><b class="n">N</b> none ran</span><span><b class="f">F</b> failures</span>\
            <span>Numbers: passed / ran</span></p>
            <div class="wide"><table><thead><tr>\(head.map { "<th scope=\"col\">\(Markup.escape($0))</th>" }.joined())</tr></thead>
            <tbody>
            \(rows.joined())</tbody></table></div>
            \(notRun(areas.filter { !ran.contains($0) }))
            \(areas.map(details).joined())</main></body></html>

            """
    }

    private static let css = """

        td.p,b.p{background:#1d6f42;color:#fff}td.e,b.e{background:#8a6d00;color:#fff}td.s,b.s{background:#0b57a4;color:#fff}
        td.n,b.n{background:#5c636e;color:#fff}td.f,b.f{background:#a01d4b;color:#fff}
        td.p,td.e,td.s,td.n,td.f{padding:4px 10px;border:1px solid var(--ground)}td a{color:inherit}
        .key span{display:inline-block;margin-right:14px}.key b{padding:1px 6px}
        @media (min-width:761px){section td:nth-child(-n+3){white-space:nowrap;overflow-wrap:normal}}
        td.p::before,td.e::before,td.s::before,td.n::before,td.f::before{color:inherit}
        """

    private var totals: String {
        backEnds.map { name in
            let own = results.filter { $0.backEnd == name }
            let ran = own.filter(\.status.isExecuted)
            let skipped = own.count - ran.count
            return "\(name): \(ran.filter { $0.status == .pass }.count) of \(ran.count) cases that ran pass"
                + (skipped == 0 ? "" : ", \(skipped) skipped")
        }.joined(separator: "; ") + "."
    }

    /// The areas of which nothing ran anywhere. A peer that does a part of the contract leaves most of them out.
    private func notRun(_ areas: [String]) -> String {
        let links = areas.map { "<a href=\"#\(Self.anchor($0))\">\(Markup.escape($0))</a>" }
        return links.isEmpty ? "" : "<p>No case ran of: \(links.joined(separator: ", ")).</p>"
    }

    private func cell(_ area: String, _ backEnd: String) -> String {
        let own = results.filter { $0.area == area && $0.backEnd == backEnd }
        let passed = own.filter { $0.status == .pass }.count
        let ran = own.filter(\.status.isExecuted).count
        let letter = Self.letter(own.map(\.status))
        let text = ran == 0 ? letter : "\(letter) \(passed)/\(ran)"
        return
            "<td class=\"\(letter.lowercased())\" data-title=\"\(Markup.escape(backEnd))\"><a href=\"#\(Self.anchor(area))\">\(text)</a></td>"
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
        let own = results.filter { $0.area == area }
        let rows = own.filter { $0.status != .pass && $0.status != .skip }
        let table = Markup.table(
            ["case", "on", "status", "detail"], rows.map { [$0.id, $0.backEnd, $0.status.rawValue, $0.detail] })
        return "<section id=\"\(Self.anchor(area))\"><h2>\(Markup.escape(area))</h2>\n"
            + (rows.isEmpty ? "<p>No case failed.</p>\n" : table) + skipped(own)
            + Self.list("passed somewhere", own.filter { $0.status == .pass }) + "</section>\n"
    }

    /// The skipped cases by back end and reason. A peer may skip most of an area, and one line says why.
    private func skipped(_ own: [CaseResult]) -> String {
        backEnds.map { name in
            let cases = own.filter { $0.backEnd == name && $0.status == .skip }
            return Set(cases.map(\.detail)).sorted().map { reason in
                Self.list("skipped on \(name): \(reason)", cases.filter { $0.detail == reason })
            }.joined()
        }.joined()
    }

    /// The ids of the cases, each once, after their number.
    private static func list(_ what: String, _ results: [CaseResult]) -> String {
        var ids: [String] = []
        var known: Set<String> = []
        for result in results where known.insert(result.id).inserted {
            ids.append(result.id)
        }
        guard !ids.isEmpty else {
            return ""
        }
        return "<details><summary>\(ids.count) \(ids.count == 1 ? "case" : "cases") \(Markup.escape(what))</summary><p>"
            + Markup.escape(ids.joined(separator: ", ")) + "</p></details>\n"
    }

    private static func anchor(_ area: String) -> String {
        "area-"
            + String(
                String.UnicodeScalarView(
                    area.unicodeScalars.map { $0.properties.isAlphabetic || ("0"..."9").contains($0) ? $0 : "-" }))
    }
}
