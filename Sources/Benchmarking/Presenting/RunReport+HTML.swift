import Soups

extension RunReport {
    /// The report as one HTML page: pictures inside, no script, no network; follows the reader's choice of light or
    /// dark.
    package var html: String {
        var body = "<h1>Plain SQLite and SQLCipher, side by side</h1>\n"
        for sentence in RunAnswer(report.rows, faults: report.record.faults).sentences {
            body += "<p class=\"answer\">\(Markup.escape(sentence))</p>\n"
        }
        body += "<dl class=\"facts\">"
        for (name, value) in facts {
            body += "<div><dt>\(Markup.escape(name))</dt><dd>\(Markup.escape(value))</dd></div>"
        }
        body += "</dl>\n"
        for fault in report.record.faults {
            body += "<p class=\"fault\"><strong>Invalid:</strong> \(Markup.escape(fault))</p>\n"
        }
        for line in DecidingRows.lines(report.record, report.rows) {
            body += "<p class=\"fault\">\(Markup.escape(line))</p>\n"
        }
        body +=
            "<p>A ratio says how many times as long the first arm takes as the second. The square is the estimate, the bar its exact 95 % interval. "
        body +=
            "\u{25B2} slower and \u{25BC} faster mean that the whole interval is beyond the margin, = that it is within the margin, ? that the figures show neither.</p>\n"
        let sections = sections
        body +=
            "<nav aria-label=\"On this page\">"
            + sections.map { "<a href=\"#\($0.id)\">\(Markup.escape($0.title))</a>" }.joined() + "</nav>\n"
        for section in sections {
            body +=
                "<section id=\"\(section.id)\"><h2>\(Markup.escape(section.title))</h2>\n\(section.body)</section>\n"
        }
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Benchmark \(Markup.escape(report.record.id))</title>
            <style>\(PageStyle.css)</style></head>
            <body><main>
            \(body)</main></body></html>

            """
    }

    private struct Section {
        let id: String
        let title: String
        let body: String
    }

    /// What most people came for first: the back ends, then what follows from all ratios, then the long lists.
    private var sections: [Section] {
        // What a user sees comes before what it is made of.
        let backends = groups.filter(\.isOfBackends).sorted { $0.isWhatUsersSee && !$1.isWhatUsersSee }
        let others = groups.filter { !$0.isOfBackends }
        let waiting = WaitingText.line(report.rows).map { "<p>\(Markup.escape($0))</p>\n" } ?? ""
        return [
            Section(
                id: "back-ends", title: "Back ends",
                body: backends.map {
                    "<h3>\(Markup.escape($0.title))</h3>\n"
                        + ForestPlot(title: $0.title, rows: $0.rows).html
                }.joined()
                    + (backends.isEmpty ? "" : waiting)),
            Section(id: "differences", title: "Differences to another build", body: differences),
            Section(id: "claims", title: "Claims", body: claims.isEmpty ? "" : ClaimTable.html(claims)),
            Section(id: "growth", title: "Growth with the size of the soup", body: growth),
            Section(
                id: "ways", title: "Ways of working",
                body: others.map {
                    folded(
                        $0.title, $0.rows.count, "ratio", ForestPlot(title: $0.title, rows: $0.rows).html,
                        open: backends.isEmpty)
                }.joined()
                    + (backends.isEmpty ? waiting : "")),
            Section(id: "history", title: "History of the ratios", body: steps),
            Section(id: "counters", title: "Exact counters", body: counters),
        ].filter { !$0.body.isEmpty }
    }

    private func folded(_ title: String, _ count: Int, _ noun: String, _ content: String, open: Bool = false) -> String
    {
        "<details\(open ? " open" : "")><summary>\(Markup.escape(title)) (\(count) \(noun)\(count == 1 ? "" : "s"))</summary>\n\(content)</details>\n"
    }

    private var differences: String {
        let suite = DifferenceTable.suite(report.record.suite).map { "<p>\(Markup.escape($0))</p>\n" }.joined()
        guard let table = DifferenceTable.make(report.rows) else {
            return suite
        }
        return "<p>\(Markup.escape(DifferenceTable.meaning))</p>\n" + table.html + suite
    }

    private var growth: String {
        guard !curves.isEmpty else {
            return ""
        }
        var families: [(name: String, curves: [GrowthCurve])] = []
        for curve in curves {
            if let index = families.firstIndex(where: { ByteKey($0.name) == ByteKey(curve.family) }) {
                families[index].curves.append(curve)
            } else {
                families.append((curve.family, [curve]))
            }
        }
        return
            "<p>Time for one unit of work. n^0 is independent of the size, n^1 proportional to it.</p>\n<div class=\"plots\">"
            + families.map { GrowthPlot(family: $0.name, curves: $0.curves).svg }.joined() + "</div>\n"
    }

    private var counters: String {
        let rows = report.rows.filter { $0.metric.isExact && $0.verdict != .invalid }
        guard !rows.isEmpty else {
            return ""
        }
        let table = Markup.table(
            ["cell", "counter", "base", "arm", "base counts", "arm counts"],
            rows.map { row in
                [
                    row.cellID, row.metric.name, row.baseArm.name, row.arm.name,
                    row.baseMedian.map { Figures.value($0, row.metric) } ?? "",
                    row.armMedian.map { Figures.value($0, row.metric) } ?? "",
                ]
            })
        return folded("What both arms of each pair counted", rows.count, "row", table)
    }

    /// The rows with a step come first: the history is kept to show them.
    private var steps: String {
        let plots = groups.map { group in
            HistoryPlot(
                title: group.title,
                series: group.rows.filter { $0.arm != .plainAgain }.map { row in
                    let (ratios, steps) = series(of: row)
                    return HistoryPlot.Series(label: row.cellID, ratios: ratios, steps: steps)
                }.filter { $0.ratios.count > 1 })
        }.filter { !$0.series.isEmpty }
        guard !plots.isEmpty else {
            return
                "<p>No earlier accepted report of the \(report.record.profile.rawValue) profile on this kind of machine.</p>\n"
        }
        let stepped = plots.flatMap { plot in
            plot.series.filter { !$0.steps.isEmpty }.map {
                HistoryPlot.Series(label: "\($0.label), \(plot.title)", ratios: $0.ratios, steps: $0.steps)
            }
        }
        var body =
            "<p>Accepted reports of this kind of machine, oldest first, and this run; a step to another level is an upright bar.</p>\n"
        body +=
            stepped.isEmpty
            ? "<p>No ratio stepped to another level.</p>\n"
            : HistoryPlot(title: "Steps", series: stepped).html
        for plot in plots {
            body += folded(plot.title, plot.series.count, "ratio", plot.html)
        }
        return body
    }
}
