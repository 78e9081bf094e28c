"""Runs calls on a server and on the model, and stops at the first difference."""

import collections
import random
import re
import time

from .database import Check
from .driver import Died, Driver
from .expectation import Anything, Avoid
from .generator import Generator, as_text
from .json_text import Num, parse, write
from .model import Model

# Stores begin again after this number of steps, so that what led to a difference is never long.
ROUND = 400
CHECK_EVERY = 80


class Difference(Exception):
    def __init__(self, step, request, expected, actual, requests):
        super().__init__("step %d" % step)
        self.step, self.request, self.expected, self.actual, self.requests = step, request, expected, actual, requests

    def report(self):
        return "step %d\nrequest:  %s\nexpected: %s\nanswered: %s" % (
            self.step,
            cut(self.request),
            cut(self.expected),
            cut(self.actual),
        )

    def kind(self):
        """What a shorter sequence has to show too: the same call with the same fault, or the same thing in the file."""
        call = parse(self.request)["call"]
        if call == "@check":
            return call, self.actual.split(":")[0]
        fails = re.search(r'"fails":{"code":"(\w+)"', self.actual)
        wanted = re.match(r"fails with \w+", self.expected)
        return call, fails and fails.group(1), wanted and wanted.group(0)


def cut(text):
    text = re.sub(r"(.)\1{40,}", lambda run: "%s(%d times)" % (run.group(1), len(run.group(0))), text)
    return text if len(text) < 3000 else text[:3000] + "..."


class Session:
    """One server, one model, and what was sent since the stores were empty."""

    def __init__(self, driver, checks):
        self.driver, self.checks = driver, checks
        self.model = Model()
        # Answers that were not compared, for the specification leaves them open.
        self.unasserted = 0
        self.requests = []
        self.step = 0
        # The cursors of a shortened sequence have other ids than when they were recorded: from those to these.
        self.cursors = {}

    def run(self, text):
        """Sends a request as its text; False where the model leaves out what the call does."""
        request = parse(text)
        call, args = request["call"], request["args"]
        if call == "@check":
            self.check()
            return True
        if call in ("@restart", "@kill", "reset"):
            self.cursors.clear()
        if "cursorId" in args:
            args["cursorId"] = self.cursors.get(args["cursorId"].value, args["cursorId"])
        try:
            expectation = self.model.expect(call, args)
        except Avoid:
            return False
        self.unasserted += isinstance(expectation, Anything)
        self.requests.append(text)
        self.step += 1
        try:
            answer = self.driver.send(call, args)
        except Died as died:
            raise Difference(self.step, text, "an answer", str(died), self.requests)
        expected = expectation.difference(answer)
        if call in ("querySoup", "runSmartQuery") and "returns" in answer:
            self.opened(request, answer["returns"]["cursorId"])
        if expected is not None:
            raise Difference(self.step, text, expected, write(answer), self.requests)
        return True

    def opened(self, request, identity):
        self.model.last_cursor = identity
        if "opens" in request:
            self.cursors[request["opens"].value] = Num(str(identity))
        else:
            self.requests[-1] = write({**request, "opens": identity})

    def check(self):
        path = self.driver.database()
        if not self.checks or path is None:
            return
        self.requests.append('{"call":"@check","args":{}}')
        found = Check(path, self.model).run()
        if found:
            raise Difference(
                self.step,
                self.requests[-1],
                "the file agrees with the model",
                "\n          ".join(found[:8]),
                self.requests,
            )
        self.requests.pop()


def fuzz(program, backend, steps, seed, without, counts, progress=None, driver_type=Driver, round_length=ROUND):
    """Raises Difference at the first one. Each round of a seed is reproducible by itself."""
    done = 0
    number = 0
    while done < steps:
        rng = random.Random("%s/%d" % (seed, number))
        number += 1
        driver = driver_type(program, backend)
        try:
            session = Session(driver, checks=backend == "plain")
            generator = Generator(rng, session.model, without)
            for step in range(min(round_length, steps - done)):
                call, args = generator.next()
                if session.run(as_text(call, args)):
                    counts[call] += 1
                else:
                    counts["(not sent: what it does is open)"] += 1
                if step % CHECK_EVERY == CHECK_EVERY - 1:
                    session.check()
                    counts["(file checked)"] += session.checks
                done += 1
                if progress:
                    progress(done, steps)
            session.check()
            counts["(not compared: the answer is open)"] += session.unasserted
        finally:
            driver.close()


def replay(program, backend, requests, driver_type=Driver):
    """Runs requests; gives the Difference or None. Where a file is checked, it is after each call that writes."""
    driver = driver_type(program, backend)
    try:
        session = Session(driver, checks=backend == "plain")
        for text in requests:
            session.run(text)
        return None
    except Difference as difference:
        return difference
    finally:
        driver.close()


class Progress:
    def __init__(self, label, stream):
        self.label, self.stream = label, stream
        self.begin = self.last = time.monotonic()

    def __call__(self, done, steps):
        now = time.monotonic()
        if now - self.last < 30:
            return
        self.last = now
        left = (now - self.begin) / done * (steps - done)
        print("%s: %d of %d steps, about %d s left" % (self.label, done, steps, left), file=self.stream, flush=True)


def table(counts):
    return "\n".join(
        "%8d  %s" % (counts[name], name) for name in sorted(counts, key=lambda name: (-counts[name], name))
    )


def new_counts():
    return collections.Counter()
