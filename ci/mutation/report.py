"""Tables of what was found, by target and by kind, and of what survived."""

import csv
import os


def read_equivalent(path):
    """Faults that change nothing, each with the reason; a fault is known by its file, kind and text."""
    if not os.path.exists(path):
        return {}
    with open(path, newline="", encoding="utf-8") as file:
        return {(row["path"], row["kind"], row["fault"]): row["reason"] for row in csv.DictReader(file)}


def share(some, all_of_them):
    """A percentage; 100 of nothing."""
    return 100 * len(some) / len(all_of_them) if all_of_them else 100


def show(rows, equivalent):
    def is_equivalent(row):
        return row["vectors"] == "passed" and (row["path"], row["kind"], row["fault"]) in equivalent

    def line(name, chosen):
        counted = [row for row in chosen if not is_equivalent(row)]
        killed = [row for row in counted if row["vectors"] != "passed"]
        more = [row for row in counted if row["vectors"] == "passed" and row["tests"] not in ("", "passed")]
        reached = [row for row in counted if row["reached"] == "yes"]
        print("%-14s %6d %10d %8.1f %% %8d %8.1f %% %13d %11d" % (
            name, len(chosen), len(killed), share(killed, counted), len(reached), share(killed, reached), len(more),
            len(chosen) - len(counted)))

    print("%-14s %6s %10s %10s %8s %10s %13s %11s" % (
        "", "faults", "by vectors", "share", "reached", "share", "only by tests", "equivalent"))
    for column in ("target", "kind"):
        for name in sorted({row[column] for row in rows}):
            line(name, [row for row in rows if row[column] == name])
    line("all", rows)
    left = [row for row in rows if row["vectors"] == "passed"]
    if left:
        print("\nnot found by the vectors:")
    for row in left:
        key = (row["path"], row["kind"], row["fault"])
        note = "equivalent: " + equivalent[key] if key in equivalent else "tests: " + (row["tests"] or "not run")
        note += "" if row["reached"] == "yes" else "; the vectors do not reach it"
        print("%4s %s:%s %s %s [%s]" % (row["number"], row["path"], row["line"], row["kind"], row["fault"], note))
    called = sum(map(is_equivalent, rows))
    if 10 * called > len(rows):
        print("\n%d of %d are called equivalent: more than a tenth" % (called, len(rows)))
