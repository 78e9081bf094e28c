"""Shows that planted faults are found, and that the same calls without one show no difference."""

from .driver import Driver
from .faults import NAMES, FaultyDriver
from .run import Difference, cut, fuzz, new_counts

STEPS = 1600


def self_test(program, seed, without):
    """One line for each fault; true where all were found."""
    results = [run(program, seed, without, name) for name in [None] + NAMES]
    return all(results)


def run(program, seed, without, name):
    drivers = []

    def make(program, backend):
        drivers.append(FaultyDriver(program, backend, name) if name else Driver(program, backend))
        return drivers[-1]

    counts = new_counts()
    try:
        fuzz(program, "plain", STEPS, seed, without, counts, driver_type=make)
    except Difference as difference:
        location = difference.expected.split("at:       ")[-1] if "at:" in difference.expected else difference.actual
        done = sum(driver.done for driver in drivers) if name else 1
        print(
            "%-18s found after %4d calls%s: %s"
            % (
                name or "(none)",
                sum(counts.values()),
                "" if done else ", but never planted",
                cut(location.split("\n")[0])[:100],
            ),
            flush=True,
        )
        return name is not None and done > 0
    print("%-18s %s" % (name or "(none)", "not found" if name else "no difference"), flush=True)
    return name is None
