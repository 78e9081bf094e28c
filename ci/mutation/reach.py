"""Which files of vectors reach a fault: what does not run it cannot find it."""

import glob
import json
import os

from .building import say
from .trial import run, vectors

BACK_ENDS = ["plain", "cipher"]
# So many files are asked in the first round of a fault.
FIRST = 4
# Files that take so many seconds are asked last.
SLOW = 1


class Reach:
    """The faults that each file of vectors reaches, on each back end, when it is run without a fault."""

    def __init__(self, tree):
        self.times = {}
        self.reached = {}
        files = vector_files(tree)
        for back_end in BACK_ENDS:
            say("asking which faults %d files reach on %s" % (len(files), back_end))
            for path in files:
                self.measure(tree, back_end, path)
            # What needs several files, such as a full cache, is reached only when all are run at once.
            self.measure(tree, back_end, "Corpora")

    @property
    def seconds(self):
        """How long the longest run took."""
        return max(self.times.values())

    def measure(self, tree, back_end, path):
        log = os.path.join(tree, ".build", "reached")
        if os.path.exists(log):
            os.remove(log)
        outcome, seconds = run(vectors(tree, back_end, [path]), tree, 0, 3600, log)
        if outcome != "passed":
            raise SystemExit("mutation: %s fails on %s without a fault" % (path, back_end))
        self.times[back_end, path] = seconds
        numbers = set()
        if os.path.exists(log):
            with open(log, encoding="utf-8") as file:
                numbers = set(map(int, file.read().split()))
        self.reached[back_end, path] = numbers

    def rounds(self, number):
        """What to run for a fault on each back end: the files that reach fewest others, all that reach it, the slow ones."""
        rounds = []
        for back_end in BACK_ENDS:
            files = [path for (end, path), numbers in self.reached.items() if end == back_end and number in numbers]
            alone = [path for path in files if path != "Corpora"]
            quick = sorted(self.quick(back_end, alone), key=lambda path: len(self.reached[back_end, path]))
            slow = [path for path in alone if path not in quick]
            chosen = [quick[:FIRST], quick if len(quick) > FIRST else [], slow, [] if alone else files]
            rounds += [(back_end, paths) for paths in chosen if paths]
        return rounds

    def quick(self, back_end, paths):
        return [path for path in paths if self.times[back_end, path] < SLOW]


def vector_files(tree):
    """The files under Corpora that have cases."""
    found = []
    for path in sorted(glob.glob(os.path.join(tree, "Corpora/**/*.json"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        if isinstance(content, dict) and "cases" in content and "format" in content:
            found.append(os.path.relpath(path, tree))
    return found
