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
# A fault that asks for more memory than this is found as one that never ends is.
MEMORY = 8 << 30


def vectors(tree, back_end, paths):
    return [os.path.join(tree, ".build/release/soup"), "conform", "--backend", back_end] + paths


def run_vectors(tree, number, limit, rounds):
    """The outcome of the vectors and the seconds that they took. The first round that finds the fault is the last."""
    seconds = 0
    for back_end, paths in rounds:
        outcome, more = run(vectors(tree, back_end, paths), tree, number, limit)
        seconds += more
        if outcome != "passed":
            return outcome, seconds
    return "passed", seconds


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
