"""Prints what a report of `soup conform` says of each implementation: cases, asked, passed, failed as listed, red, skipped."""
import collections
import csv
import sys

COLUMNS = ["implementation", "cases", "asked", "passed", "failed as listed", "red", "skipped"]
counts = {}
with open(sys.argv[1], newline="", encoding="utf-8") as file:
    for row in csv.DictReader(file):
        counts.setdefault(row["backend"], collections.Counter())[row["status"]] += 1

rows = [COLUMNS]
for name, statuses in counts.items():
    total, skipped = sum(statuses.values()), statuses["skip"]
    passed, listed = statuses["pass"], statuses["expected-fail"]
    asked = total - skipped
    rows.append([name] + [str(number) for number in (total, asked, passed, listed, asked - passed - listed, skipped)])
for row in rows:
    print("| " + " | ".join(row) + " |")
    if row is COLUMNS:
        print("| " + " | ".join("---" for _ in row) + " |")
