/// The page's style. Colours only repeat what shape, dash or text already show.
package enum PageStyle {
    package static let css = """
        :root{color-scheme:light dark;--ground:#fff;--ink:#1a1c20;--soft:#5c636e;--grid:#d9dde3;--one:#8a919c;--mark:#0b57a4;--c0:#0b57a4;--c1:#a34700;--c2:#1d6f42;--c3:#7a3f98;--c4:#8a6d00;--c5:#a01d4b}
        @media (prefers-color-scheme:dark){:root{--ground:#14161a;--ink:#e8eaee;--soft:#a2a9b4;--grid:#343a44;--one:#7b838f;--mark:#7db8f7;--c0:#7db8f7;--c1:#ffab70;--c2:#7fd3a0;--c3:#d0a3ea;--c4:#e3c55b;--c5:#f58aae}}
        body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
        main{max-width:1000px;margin:0 auto;padding:24px 16px 64px}
        nav{display:flex;flex-wrap:wrap;gap:4px 20px;margin:0 0 16px}a{color:var(--mark)}
        h1{font-size:24px;margin:0 0 12px}h2{font-size:18px;margin:32px 0 8px}h3{font-size:15px;margin:24px 0 4px}
        .facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(220px,1fr));gap:6px 20px;margin:0 0 16px}
        dt{color:var(--soft);font-size:12px}dd{margin:0;overflow-wrap:anywhere}
        .fault{border:2px solid var(--ink);padding:8px 12px}
        .answer{font-size:17px;margin:0 0 8px}.on-phone{display:none}
        .plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,400px),1fr));gap:16px}
        svg{width:100%;height:auto;font:13px system-ui,-apple-system,"Segoe UI",sans-serif}
        svg text{fill:var(--ink);paint-order:stroke;stroke:var(--ground);stroke-width:4px;stroke-linejoin:round}svg .tick,svg .legend{font-size:12px}svg .tick{fill:var(--soft)}svg .title{font-weight:600}
        svg .figure{font-variant-numeric:tabular-nums}
        .grid{stroke:var(--grid)}.one{stroke:var(--one);stroke-width:2}.interval{stroke:var(--ink);stroke-width:1.5}
        .point{fill:var(--mark)}.frame{fill:none;stroke:var(--grid)}
        .curve{fill:none;stroke-width:2}
        .c0{stroke:var(--c0)}.c1{stroke:var(--c1)}.c2{stroke:var(--c2)}.c3{stroke:var(--c3)}.c4{stroke:var(--c4)}.c5{stroke:var(--c5)}
        .marker{fill:var(--ground);stroke-width:2}
        table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
        th,td{text-align:left;padding:4px 10px 4px 0;border-bottom:1px solid var(--grid);vertical-align:top}th{color:var(--soft);font-weight:600}
        td,li{overflow-wrap:anywhere}
        th.group{color:var(--ink);padding-top:18px}
        details{margin-top:32px}section details{margin-top:12px}summary{cursor:pointer;font-weight:600}
        @media (max-width:760px){.on-screen{display:none}.on-phone{display:block}ul.on-phone{padding-left:18px}
        thead{display:none}table,tbody,tr,td,th.group{display:block}tr{padding:6px 0;border-bottom:1px solid var(--grid)}
        td{border:0;padding:1px 0}td:empty{display:none}td::before{content:attr(data-title) ": ";color:var(--soft)}}
        """
}
