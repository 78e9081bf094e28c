"""One fault turned on, and the suites run against it."""

import os
import resource
import signal
import subprocess
import time

# What of the tests concerns a target: its own, and those of what uses it.
TESTS = {
    "Soups": "SmartSQLTests|SQLiteAccessTests|OfflineStoreTests|OfflineCoreTests|ConformanceTests",
    "SmartSQL": "SmartSQLTests|OfflineStoreTests|OfflineCoreTests|ConformanceTests",
    "OfflineStore": "OfflineStoreTests|OfflineCoreTests|ReliabilityTests|ConformanceTests",
    "OData": "ODataTests|ConformanceTests",
}
# The folders whose cases find most faults of a target, asked first: a fault that they find needs no others.
NEAREST = {
    "SmartSQL": ["smart-sql", "query", "full-text"],
    "OfflineStore": ["store"],
    "Soups": ["schema", "query", "store"],
    "OData": ["odata"],
}
# A fault that asks for more memory than this is found as one that never ends is.
MEMORY = 8 << 30


def vectors(tree, back_end, folders=None):
    paths = ["Corpora/" + folder for folder in folders] if folders else ["Corpora"]
    return [os.path.join(tree, ".build/release/soup"), "conform", "--backend", back_end] + paths


def run_vectors(tree, number, limit, reached=None, target=None):
    """The outcome of the vectors and the seconds that they took.

    The cases nearest to the target come first, then all, then all on the encrypted back end. The first that finds the fault is the last.

    The numbers of the faults that they reach are added to the file `reached`.
    """
    rounds = [vectors(tree, "plain"), vectors(tree, "cipher")]
    if target:
        rounds.insert(0, vectors(tree, "plain", NEAREST[target]))
    seconds = 0
    for command in rounds:
        outcome, more = run(command, tree, number, limit, reached)
        seconds += more
        if outcome != "passed":
            break
    return outcome, seconds


def tests(target):
    return ["swift", "test", "--skip-build", "--filter", "^(%s)\\." % TESTS[target]]


def run(command, tree, number, limit, reached=None):
    """What became of the command: "passed", "failed", "crashed" or "endless"; and the seconds that it took."""
    environment = dict(os.environ, SOUP_MUTANT=str(number), SWIFT_BACKTRACE="enable=no")
    if reached:
        environment["SOUP_MUTANTS_REACHED"] = reached
    start = time.monotonic()
    process = subprocess.Popen(
        command, cwd=tree, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)) if command[0] != "swift" else None)
    try:
        status = process.wait(limit)
        outcome = "passed" if status == 0 else "failed" if status > 0 else "crashed"
    except subprocess.TimeoutExpired:
        outcome = "endless"
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
    return outcome, time.monotonic() - start
