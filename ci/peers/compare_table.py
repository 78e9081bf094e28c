"""Makes the table of ci/peers/compare from a run of soup bench: a line for each work, with the times of the store and the ratios peer / store.

    compare_table.py FOLDER VERSIONS [--store]      prints the table of the run in the folder; --store also renews docs/peers.csv and docs/peers.md
    compare_table.py --table                        renews the table in docs/peers.md from docs/peers.csv
"""
import csv
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from measured_time import time

PAGE, STORED = "docs/peers.md", "docs/peers.csv"
BEGIN, END = "<!-- table: written by ci/peers/compare -->", "<!-- end of the table -->"
WORKS = ["insert", "insert-full-text", "by-id", "by-id-one-read", "exact", "all-pages", "match-rare", "match-common"]
# Heading, arm of the store, arm of the peer.
RATIOS = [("GRDB, statements", "ours", "grdb"), ("Python", "ours", "python"), ("GRDB, Codable", "ours-codable", "grdb-codable")]
COLUMNS = ["commit", "started_utc", "processor", "cores", "load_before", "fault", "versions", "workload", "params", "base_arm", "arm", "pairs", "base_median",
           "arm_median", "ratio", "lo", "hi", "verdict", "digest_same"]


def rows_of_run(folder, versions):
    """The rows of the clock, with what a reader must know about the run in each."""
    with open(folder + "/run.json", encoding="utf-8") as file:
        run = json.load(file)
    details = run["details"]
    facts = {"commit": run["commit"], "started_utc": run["started_utc"], "processor": details["machine"]["processor"],
             "cores": details["machine"]["cores"], "load_before": details["load_before"]["average"],
             "fault": (run["faults"] or [""])[0], "versions": versions}
    with open(folder + "/summary.csv", encoding="utf-8", newline="") as file:
        return [{**facts, **{name: row[name] for name in COLUMNS if name in row}} for row in csv.DictReader(file)
                if row["workload"].startswith("peer-") and row["metric"] == "wall"]


def ratio(row):
    if row is None:
        return ""
    if not row["ratio"]:
        return row["verdict"]
    text = "%.2f" % float(row["ratio"])
    if not row["lo"]:
        return text + " [?]"
    text += " [%.2f, %.2f]" % (float(row["lo"]), float(row["hi"]))
    return "**%s**" % text if float(row["hi"]) < 1 else text


def table(rows):
    """Markdown. A peer that is faster, with all of its interval below 1, is bold."""
    sizes = sorted({row["params"] for row in rows}, key=lambda text: int(text.split("=")[1]))
    lines = ["| work | %s | store, bytes | %s | %s | store, Codable | %s |" % (("entries",) + tuple(heading + " / store" for heading, _, _ in RATIOS)),
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for size in sizes:
        for work in WORKS:
            found = {(row["base_arm"], row["arm"]): row for row in rows if row["params"] == size and row["workload"] == "peer-" + work}
            lines += lines_of(work, size, found)
    return lines


def lines_of(work, size, found):
    def median(arm):
        return next((time(row["base_median"]) for (base, _), row in found.items() if base == arm and row["base_median"]), "")

    if not found:
        return []
    cells = [work, size.split("=")[1], median("ours"), ratio(found.get(("ours", "grdb"))), ratio(found.get(("ours", "python"))),
             median("ours-codable"), ratio(found.get(("ours-codable", "grdb-codable")))]
    lines = ["| " + " | ".join(cells) + " |"]
    bare = "ours-without-text-index"
    if median(bare):
        lines.append("| " + " | ".join([work + ", without the index on whole texts", cells[1], median(bare), ratio(found.get((bare, "grdb"))),
                                        ratio(found.get((bare, "python"))), "", ""]) + " |")
    return lines


def caption(rows):
    first = rows[0]
    text = "Run of %s, commit `%s`, on %s cores of %s. %s." % (
        first["started_utc"], first["commit"], first["cores"], first["processor"], first["versions"].replace(";", "; "))
    if float(first["load_before"]) > 0.5:
        text += " **The machine was shared with other work (load %.1f): the ratios of interleaved pairs count, the times are too long.**" % float(
            first["load_before"])
    if first["fault"]:
        text += " **The run is not valid, it shows the order of magnitude only: %s.**" % first["fault"]
    return [text, ""]


def renew_page(rows):
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    before, rest = text.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(before + BEGIN + "\n" + "\n".join(caption(rows) + table(rows)) + "\n" + END + after)


def stored():
    with open(STORED, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def main(arguments):
    if arguments == ["--table"]:
        renew_page(stored())
        return
    folder, versions = arguments[:2]
    rows = rows_of_run(folder, versions)
    if not rows:
        sys.exit("peers: the run in %s has no rows of peers" % folder)
    outputs = [folder + "/peers.csv"] + ([STORED] if "--store" in arguments else [])
    for path in outputs:
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    print("\n".join(caption(rows) + table(rows)))
    print("\nAbove 1 the peer is slower. All rows: " + ", ".join(outputs))
    if "--store" in arguments:
        renew_page(stored())


main(sys.argv[1:])
