"""Plants faults and runs the suites against each. ci/mutation-trials has the usage."""

import argparse
import concurrent.futures
import csv
import os
import random
import subprocess
import time

from .building import build, draw, read_sources, say
from .reach import Reach
from .report import read_equivalent, show
from .trial import run, run_vectors, tests

TARGETS = ["SmartSQL", "OfflineStore", "Soups", "OData"]
COLUMNS = ["number", "target", "kind", "path", "line", "fault", "reached", "vectors", "tests", "seconds"]


def main():
    options = parsed()
    seed = options.seed if options.seed is not None else random.randrange(2**32)
    commit = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    folder = os.path.abspath(os.path.join("runs/mutation", "%s-%d-%d" % (commit, seed, options.count)))
    say("seed %d; results in %s" % (seed, os.path.relpath(folder)))
    tree = os.path.join(folder, "tree")
    if not os.path.exists(tree):
        subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", ".", tree], check=True)
    results = os.path.join(folder, "results.csv")
    equivalent = read_equivalent("ci/mutation/equivalent.csv")
    planted = planted_again(tree, seed, options, folder)
    rows = try_all(planted, tree, results, options)
    show(rows, equivalent)


def parsed():
    parser = argparse.ArgumentParser(prog="ci/mutation-trials")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--count", type=int, default=160)
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--tests", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    return parser.parse_args()


def planted_again(tree, seed, options, folder):
    """The faults of a seed, built; those that a former run left out are left out at once."""
    targets = options.targets.split(",")
    originals = read_sources_of_commit(tree, targets)
    drawn = draw(originals, targets, -(-options.count // len(targets)), random.Random(seed))
    kept = os.path.join(folder, "kept")
    if os.path.exists(kept):
        with open(kept, encoding="utf-8") as file:
            numbers = set(map(int, file.read().split()))
        drawn = [site for site in drawn if site.number in numbers]
    # What is there stays as it was built: planting again would only build the same once more.
    built = os.path.join(folder, "built-tests" if options.tests else "built")
    if os.path.exists(built):
        return drawn
    planted = build(tree, originals, drawn, ["-c", "release", "--product", "soup"])
    if options.tests:
        planted = build(tree, originals, planted, ["--build-tests"])
    with open(kept, "w", encoding="utf-8") as file:
        file.write(" ".join(str(site.number) for site in planted))
    open(built, "w").close()
    return planted


def read_sources_of_commit(tree, targets):
    subprocess.run(["git", "checkout", "--quiet", "--", "Sources"], cwd=tree, check=True)
    return read_sources(tree, targets)


def try_all(planted, tree, path, options):
    rows = {}
    if os.path.exists(path):
        with open(path, newline="", encoding="utf-8") as file:
            rows = {int(row["number"]): row for row in csv.DictReader(file)}
    reach = Reach(tree)
    limit = 60 + 5 * reach.seconds
    start = spoken = time.monotonic()
    todo = [site for site in planted if needs_a_trial(rows.get(site.number), options)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        trials = [
            pool.submit(tried, site, reach.rounds(site.number), rows.get(site.number), tree, limit, options) for site in todo]
        for done, trial in enumerate(concurrent.futures.as_completed(trials), 1):
            row = trial.result()
            rows[int(row["number"])] = row
            write(path, rows)
            if time.monotonic() - spoken > 30:
                spoken = time.monotonic()
                say("%d of %d; %d s left" % (done, len(todo), (spoken - start) / done * (len(todo) - done)))
    return [rows[site.number] for site in planted]


def needs_a_trial(row, options):
    return row is None or (options.tests and row["vectors"] == "passed" and not row["tests"])


def tried(site, rounds, row, tree, limit, options):
    """The row of a fault: the vectors first if they reach it, and the tests only if those pass."""
    if row is None:
        outcome, seconds = run_vectors(tree, site.number, limit, rounds)
        row = dict(zip(COLUMNS, [
            site.number, site.target, site.kind, site.path, site.line, site.shown, "yes" if rounds else "no", outcome, "",
            "%.1f" % seconds]))
    if options.tests and row["vectors"] == "passed":
        row["tests"] = run(tests(site.target), tree, site.number, 1800)[0]
    return row


def write(path, rows):
    with open(path + ".new", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows[number] for number in sorted(rows))
    os.replace(path + ".new", path)


if __name__ == "__main__":
    main()
