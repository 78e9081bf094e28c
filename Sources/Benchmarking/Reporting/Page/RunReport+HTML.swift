import Soups

extension RunReport {
    /// The report as one HTML page: pictures inside, no script, no network; follows the reader's choice of light or dark.
    public var html: String {
        var body = "<h1>Plain SQLite and SQLCipher, side by side</h1>\n<dl class=\"facts\">"
        for (name, value) in facts { body += "<div><dt>\(Markup.escape(name))</dt><dd>\(Markup.escape(value))</dd></div>" }
        body += "</dl>\n"
        for fault in report.record.faults { body += "<p class=\"fault\"><strong>Invalid:</strong> \(Markup.escape(fault))</p>\n" }
        body += "<p>A ratio says how many times as long the first arm takes as the second. The square is the estimate, the bar its exact 95 % interval. "
        body += "\u{25B2} slower and \u{25BC} faster mean that the whole interval lies beyond the margin, = that it lies within it, ? that neither is shown.</p>\n"
        for group in groups {
            body += "<section><h2>\(Markup.escape(group.title))</h2>\n<div class=\"wide\">" + ForestPlot(title: group.title, rows: group.rows).svg + "</div></section>\n"
        }
        body += differences + growth + claimTable + counters + steps
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Benchmark \(Markup.escape(report.record.id))</title>
            <style>\(PageStyle.css)</style></head>
            <body><main>
            \(body)</main></body></html>

            """
    }

    private var differences: String {
        let suite = ([WaitingText.line(report.rows)].compactMap { $0 } + DifferenceTable.suite(report.record.suite)).map { "<p>\(Markup.escape($0))</p>\n" }.joined()
        guard let table = DifferenceTable.make(report.rows) else { return suite }
        return "<section><h2>Differences to another build</h2>\n<p>\(Markup.escape(DifferenceTable.meaning))</p>\n" + table.html + "</section>\n" + suite
    }

    private var growth: String {
        guard !curves.isEmpty else { return "" }
        var families: [(name: String, curves: [GrowthCurve])] = []
        for curve in curves {
            if let place = families.firstIndex(where: { ByteKey($0.name) == ByteKey(curve.family) }) {
                families[place].curves.append(curve)
            } else {
                families.append((curve.family, [curve]))
            }
        }
        return "<section><h2>Growth with the size of the soup</h2>\n<p>Time for one unit of work. n^0 is independent of the size, n^1 proportional to it.</p>\n<div class=\"plots\">"
            + families.map { GrowthPlot(family: $0.name, curves: $0.curves).svg }.joined() + "</div></section>\n"
    }

    private var claimTable: String {
        guard !claims.isEmpty else { return "" }
        return "<section><h2>Claims</h2>\n"
            + Markup.table(
                ClaimTable.titles, ClaimTable.byClaim(claims).map(ClaimTable.cells)) + "</section>\n"
    }

    private var counters: String {
        let rows = report.rows.filter { $0.metric.isExact && $0.verdict != .invalid }
        guard !rows.isEmpty else { return "" }
        return "<details><summary>Exact counters (\(rows.count) rows)</summary>\n"
            + Markup.table(
                ["cell", "counter", "base", "arm", "base counts", "arm counts"],
                rows.map { row in
                    [
                        row.cellID, row.metric.name, row.baseArm.name, row.arm.name, row.baseMedian.map { Figures.value($0, row.metric) } ?? "",
                        row.armMedian.map { Figures.value($0, row.metric) } ?? "",
                    ]
                }) + "</details>\n"
    }

    /// The rows with a step stand first, for they are what the history is kept for.
    private var steps: String {
        let plots = groups.map { group in
            HistoryPlot(
                title: group.title,
                series: group.rows.filter { $0.arm != .plainAgain }.map { row in
                    let (ratios, steps) = series(of: row)
                    return HistoryPlot.Series(label: row.cellID, ratios: ratios, steps: steps)
                }.filter { $0.ratios.count > 1 })
        }.filter { !$0.series.isEmpty }
        guard !plots.isEmpty else { return "<section><h2>History</h2>\n<p>No earlier accepted report of this kind of machine.</p></section>\n" }
        let stepped = plots.flatMap { plot in
            plot.series.filter { !$0.steps.isEmpty }.map { HistoryPlot.Series(label: "\($0.label), \(plot.title)", ratios: $0.ratios, steps: $0.steps) }
        }
        var body = "<section><h2>History of the ratios</h2>\n<p>Accepted reports of this kind of machine, oldest first, and this run; a step to another level is an upright bar.</p>\n"
        body += stepped.isEmpty ? "<p>No ratio stepped to another level.</p>\n" : "<div class=\"wide\">" + HistoryPlot(title: "Steps", series: stepped).svg + "</div>\n"
        for plot in plots {
            body += "<details><summary>\(Markup.escape(plot.title)) (\(plot.series.count) \(plot.series.count == 1 ? "ratio" : "ratios"))</summary>\n<div class=\"wide\">" + plot.svg + "</div></details>\n"
        }
        return body + "</section>\n"
    }
}

/// The page's look. Colours only repeat what shape, dash or text say already.
enum PageStyle {
    static let css = """
        :root{color-scheme:light dark;--ground:#fff;--ink:#1a1c20;--soft:#5c636e;--grid:#d9dde3;--one:#8a919c;--mark:#0b57a4;--c0:#0b57a4;--c1:#a34700;--c2:#1d6f42;--c3:#7a3f98;--c4:#8a6d00;--c5:#a01d4b}
        @media (prefers-color-scheme:dark){:root{--ground:#14161a;--ink:#e8eaee;--soft:#a2a9b4;--grid:#343a44;--one:#7b838f;--mark:#7db8f7;--c0:#7db8f7;--c1:#ffab70;--c2:#7fd3a0;--c3:#d0a3ea;--c4:#e3c55b;--c5:#f58aae}}
        body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
        main{max-width:1000px;margin:0 auto;padding:24px 16px 64px}
        h1{font-size:24px;margin:0 0 12px}h2{font-size:18px;margin:32px 0 8px}
        .facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(220px,1fr));gap:6px 20px;margin:0 0 16px}
        dt{color:var(--soft);font-size:12px}dd{margin:0;overflow-wrap:anywhere}
        .fault{border:2px solid var(--ink);padding:8px 12px}
        .wide{overflow-x:auto}.wide svg{min-width:820px}
        .plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(400px,1fr));gap:16px}
        svg{width:100%;height:auto;font:13px system-ui,-apple-system,"Segoe UI",sans-serif}
        svg text{fill:var(--ink)}svg .tick,svg .legend{font-size:12px}svg .tick{fill:var(--soft)}svg .title{font-weight:600}
        svg .figure{font-variant-numeric:tabular-nums}
        .grid{stroke:var(--grid)}.one{stroke:var(--one);stroke-width:2}.interval{stroke:var(--ink);stroke-width:1.5}
        .point{fill:var(--mark)}.frame{fill:none;stroke:var(--grid)}
        .curve{fill:none;stroke-width:2}
        .c0{stroke:var(--c0)}.c1{stroke:var(--c1)}.c2{stroke:var(--c2)}.c3{stroke:var(--c3)}.c4{stroke:var(--c4)}.c5{stroke:var(--c5)}
        .marker{fill:var(--ground);stroke-width:2}
        table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
        th,td{text-align:left;padding:4px 10px 4px 0;border-bottom:1px solid var(--grid);vertical-align:top}th{color:var(--soft);font-weight:600}
        details{margin-top:32px}section details{margin-top:12px}summary{cursor:pointer;font-weight:600}
        """
}
