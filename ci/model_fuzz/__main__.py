"""The command line: see ci/model-fuzz."""

import argparse
import random
import signal
import sys
import time

from .driver import Driver
from .minimise import minimise
from .run import Difference, Progress, fuzz, new_counts, replay, table

BACKENDS = ("plain", "cipher-off", "cipher")
WITHOUT = {"external", "array-external-id", "clear-in-transaction", "alter-external-in-transaction"}


def options():
    parser = argparse.ArgumentParser(prog="ci/model-fuzz", description="Compares the store with an independent model.")
    parser.add_argument("--program", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--steps", type=int, default=20000, help="calls on each back end")
    parser.add_argument("--seed", default=str(random.randrange(1 << 32)), help="repeats a run")
    parser.add_argument("--backend", choices=BACKENDS + ("all",), default="plain")
    parser.add_argument("--replay", metavar="FILE", help="runs the requests of a file")
    parser.add_argument(
        "--without",
        default="",
        metavar="NAME,...",
        help="makes no such calls: " + ", ".join(sorted(WITHOUT)),
    )
    parser.add_argument(
        "--minimise", type=float, default=60, metavar="SECONDS", help="time for shortening what led to a difference"
    )
    parser.add_argument("--output", metavar="FILE", help="where the requests of a difference are written")
    parser.add_argument("--self-test", action="store_true", help="plants faults, each of which must be found")
    given = parser.parse_args()
    given.without = {name for name in given.without.split(",") if name}
    if given.without - WITHOUT:
        parser.error("--without knows " + ", ".join(sorted(WITHOUT)))
    if given.steps < 1:
        parser.error("--steps is at least 1")
    return given


def found(difference, given, backend):
    print(difference.report())
    requests, shortest = minimise(given.program, backend, difference, given.minimise, Driver)
    path = given.output or "model-fuzz-%s-%s.log" % (given.seed.replace("/", "_"), backend)
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(text + "\n" for text in requests))
    print("\nshortened to %d requests, in %s:\n%s" % (len(requests), path, shortest.report()))
    print("again: ci/model-fuzz --backend %s --replay %s" % (backend, path))


def run_backend(given, backend):
    counts, begin = new_counts(), time.monotonic()
    print("%s: seed %s, %d steps" % (backend, given.seed, given.steps), flush=True)
    try:
        fuzz(
            given.program,
            backend,
            given.steps,
            given.seed,
            given.without,
            counts,
            Progress(backend, sys.stderr),
        )
    except Difference as difference:
        print("%s: a difference, seed %s" % (backend, given.seed))
        found(difference, given, backend)
        return False
    print("%s: no difference in %d s\n%s" % (backend, time.monotonic() - begin, table(counts)), flush=True)
    return True


def main():
    sys.setrecursionlimit(10000)
    given = options()
    # Servers are ended and folders removed on the way out.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    if given.self_test:
        from .self_test import self_test

        sys.exit(0 if self_test(given.program, given.seed, given.without) else 1)
    backends = BACKENDS if given.backend == "all" else (given.backend,)
    if given.replay:
        try:
            with open(given.replay, encoding="utf-8") as file:
                requests = [line for line in file.read().split("\n") if line]
        except OSError as error:
            print("model-fuzz: %s" % error, file=sys.stderr)
            sys.exit(2)
        differences = [replay(given.program, backend, requests) for backend in backends]
        for backend, difference in zip(backends, differences):
            print("%s: %s" % (backend, difference.report() if difference else "no difference"))
        sys.exit(1 if any(differences) else 0)
    results = [run_backend(given, backend) for backend in backends]
    sys.exit(0 if all(results) else 1)


main()
