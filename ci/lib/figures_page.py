"""Writes docs/figures.csv, and the table in docs/figures.md, from what ci/claims --offline has measured.

Runs that are not valid are in it too; the table says so. Rows of parts that are not measured in the folder stay as they are.

    figures_page.py FOLDER      the folder with claims.csv and a folder for each measured part
"""
import csv
import json
import os
import sys

PAGE, STORED = "docs/figures.md", "docs/figures.csv"
BEGIN, END = "<!-- table: written by ci/claims -->", "<!-- end of the table -->"


def runs_of(folder):
    """The run and the claims of each part, valid ones last: a row that several have is taken from the last."""
    found = {}
    for part in sorted(os.listdir(folder)):
        path = os.path.join(folder, part, "run.json")
        if os.path.exists(path) and os.path.exists(os.path.join(folder, part, "claims.csv")):
            with open(path, encoding="utf-8") as file:
                run = json.load(file)
            with open(os.path.join(folder, part, "claims.csv"), encoding="utf-8", newline="") as file:
                found[part] = (run, list(csv.DictReader(file)))
    return dict(sorted(found.items(), key=is_valid))


def is_valid(entry):
    _, (run, _) = entry
    return not run["faults"]


def rows_of(runs):
    for part, (run, claims) in runs.items():
        machine = run["details"]["machine"]
        for claim in claims:
            if claim["claim"].startswith(("PRF-", "OFP-")):
                row = {"part": part, "fault": (run["faults"] or [""])[0], "commit": run["commit"]}
                row.update(started_utc=run["started_utc"], processor=machine["processor"], cores=machine["cores"])
                row.update((name, claim[name]) for name in claim if name != "schema")
                yield row


def figure(row):
    """1.18 [1.07, 1.33]; 54 ms; 42 MB; ? where nothing was found."""
    if not row["figure"]:
        return "?"
    value = float(row["figure"])
    if row["unit"] == "ns":
        return "%.2f ms" % (value / 1e6) if value >= 1e5 else "%.2f us" % (value / 1e3)
    if row["unit"] == "bytes":
        return "%.1f MB" % (value / 1e6)
    ends = " [%.2f, %.2f]" % (float(row["lo"]), float(row["hi"])) if row["lo"] else ""
    return "%.2f%s" % (value, ends)


def table(rows):
    lines = ["| claim | what | cell | plain | cipher |", "| --- | --- | --- | ---: | ---: |"]
    cells = {}
    for row in rows:
        work = (row["claim"], row["statement"], row["cell_id"], row["arms"].replace("cipher", "plain"))
        cells.setdefault(work, {})[row["backend"]] = row
    for (claim, statement, cell, _), found in sorted(cells.items()):
        texts = [written(found.get(name)) for name in ("plain", "cipher")]
        if "any" in found:
            texts = [written(found["any"]), ""]
        lines.append("| " + " | ".join([claim, statement, "`%s`" % cell] + texts) + " |")
    return lines


def written(row):
    """A figure; in bold if the claim does not hold, with a question mark if the run did not decide."""
    if row is None:
        return ""
    text = figure(row)
    return {"holds": text, "does not hold": "**%s**" % text}.get(row["finding"], text + " ?")


def caption(rows):
    lines = ["| part | run of | commit | machine | valid |", "| --- | --- | --- | --- | --- |"]
    parts = {row["part"]: row for row in rows}
    for part, row in sorted(parts.items()):
        valid = "no: " + row["fault"].split(";")[0] if row["fault"] else "yes"
        lines.append("| %s | %s | `%s` | %s cores of %s | %s |" % (
            part, row["started_utc"], row["commit"], row["cores"], row["processor"], valid))
    return lines + [""]


def stored_rows():
    """The rows of the page as it is: those that are not measured now stay."""
    if not os.path.exists(STORED):
        return []
    with open(STORED, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def main(folder):
    runs = runs_of(folder)
    if not runs:
        sys.exit("figures: no part is measured in %s; run ci/claims --offline" % folder)
    known = {}
    for row in stored_rows() + list(rows_of(runs)):
        known[(row["claim"], row["cell_id"], row["backend"], row["arms"])] = row
    rows = [known[key] for key in sorted(known)]
    with open(STORED, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    before, rest = text.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(before + BEGIN + "\n" + "\n".join(caption(rows) + table(rows)) + "\n" + END + after)
    print("%s, %s: %d rows, %d parts measured now" % (STORED, PAGE, len(rows), len(runs)))


main(sys.argv[1])
