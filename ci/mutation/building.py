"""Builds a copy of the sources with faults, without those that do not compile."""

import glob
import os
import re
import subprocess
import sys

from .planting import plant
from .sites import sites

ERROR = re.compile(r"^(/\S+?\.swift):(\d+):\d+: error: ", re.MULTILINE)


def say(text):
    print("mutation: " + text, file=sys.stderr, flush=True)


def read_sources(tree, targets):
    originals = {}
    for target in targets:
        for path in sorted(glob.glob(os.path.join(tree, "Sources", target, "**/*.swift"), recursive=True)):
            if os.path.basename(path) != "MutantSwitch.swift":
                with open(path, encoding="utf-8") as file:
                    originals[os.path.relpath(path, tree)] = file.read()
    return originals


def draw(originals, targets, count, random):
    """The same number of faults of each target, at sites that do not overlap."""
    drawn = []
    for target in targets:
        found = []
        for path, text in originals.items():
            if path.split("/")[1] == target:
                found += sites(target, path, text)
        random.shuffle(found)
        lines = set()
        for site in found:
            if len(lines) == count:
                break
            if (site.path, site.line) not in lines:
                lines.add((site.path, site.line))
                drawn.append(site)
    for number, site in enumerate(drawn, 1):
        site.number = number
    return drawn


def build(tree, originals, drawn, arguments):
    """Builds, leaving out what does not compile, and returns what is left."""
    planted = list(drawn)
    while True:
        plant(tree, originals, planted)
        say("building with %d faults" % len(planted))
        done = subprocess.run(["swift", "build"] + arguments, cwd=tree, capture_output=True, text=True)
        if done.returncode == 0:
            return planted
        broken = blamed(tree, planted, done.stdout + done.stderr)
        if not broken:
            sys.stderr.write((done.stdout + done.stderr)[-4000:])
            raise SystemExit("mutation: the copy does not build, and no fault is to blame")
        say("left out, because they do not compile: %d" % len(broken))
        planted = [site for site in planted if site not in broken]


def blamed(tree, planted, output):
    """The faults nearest to the compiler's errors: on the line, else up to five lines away, else in the file."""
    broken = set()
    for path, line in set(ERROR.findall(output)):
        here = [site for site in planted if os.path.join(os.path.realpath(tree), site.path) == os.path.realpath(path)]
        near = [site for site in here if site.line == int(line)]
        near = near or [site for site in here if abs(site.line - int(line)) <= 5] or here
        broken.update(near)
    return broken
