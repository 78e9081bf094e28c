"""Prints how times and memory grow with the number of entries: a Markdown table of a run of ci/large-soups."""

import csv
import json
import math
import pathlib
import sys

from measured_time import time


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def figure(claim):
    if not claim["figure"]:
        return "?"
    value = float(claim["figure"])
    return f"{value / 1e6:.3g} MB" if claim["unit"] == "bytes" else f"{value:.3g}"


def exponent(ratio, factor):
    return math.log(float(ratio)) / math.log(factor) if ratio else math.nan


def largest_workers(samples):
    """The largest resident memory of a worker, in bytes, of each cell."""
    largest = {}
    for row in samples:
        if row["metric"] == "worker_memory":
            largest[row["cell_id"]] = max(largest.get(row["cell_id"], 0), int(float(row["value"])))
    return largest


def main(folder):
    run = json.loads((folder / "run.json").read_text())
    memory = largest_workers(rows(folder / "samples.csv"))
    findings = rows(folder / "claims.csv")
    print(f"Run {run['run_id']}, commit `{run['commit']}`, valid: {'yes' if run['valid'] else 'no'}.\n")
    print("| work | back end | few entries | many entries | exponent of growth | limit | finding | largest worker |")
    print("| --- | --- | ---: | ---: | ---: | ---: | --- | ---: |")
    for row in rows(folder / "summary.csv"):
        if row["workload"] != "growth" or row["metric"] != "wall":
            continue
        parameters = dict(pair.split("=") for pair in row["params"].split(";"))
        factor = int(parameters["to"]) / int(parameters["from"])
        backend, way = row["arm"].split("/")
        if "small" not in row["base_arm"]:
            continue
        work = parameters["work"] + (" in bare calls" if way.endswith("floor") else "")
        claim = next(
            (c for c in findings if c["arms"] == f"{row['arm']} {row['base_arm']}" and c["cell_id"] == row["cell_id"]),
            None)
        limit = claim["statement"].split()[-1] if claim else ""
        middle, low, high = (exponent(row[name], factor) for name in ("ratio", "lo", "hi"))
        print(
            f"| {work} | {backend} | {time(row['base_median'])} | {time(row['arm_median'])} "
            f"| {middle:.2f} [{low:.2f}, {high:.2f}] | {limit} | {claim['finding'] if claim else ''} "
            f"| {memory.get(row['cell_id'], 0) / 1e6:.0f} MB |")
    for claim in findings:
        if "exponent" not in claim["statement"]:
            print(f"\n{claim['cell_id']}, {claim['backend']}: {claim['statement']}: {figure(claim)}, {claim['finding']}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
