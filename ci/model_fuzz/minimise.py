"""Makes a sequence of requests that ends in a difference shorter: delta debugging by replaying, for a limited time."""

import time

from .run import replay


def minimise(program, backend, difference, seconds, driver_type):
    """The shortest sequence found that shows a difference of the same kind, with that difference."""
    end = time.monotonic() + seconds
    kind = difference.kind()
    best, shown = list(difference.requests), difference

    def shows(requests):
        found = replay(program, backend, requests, driver_type)
        return found if found is not None and found.kind() == kind else None

    if shows(best) is None:
        # It needs more than the requests, for example the time between them.
        return best, difference
    size = len(best) // 2
    while size >= 1 and time.monotonic() < end:
        begin, removed = 0, False
        # The last request is the one that shows it.
        while begin < len(best) - 1 and time.monotonic() < end:
            found = shows(best[:begin] + best[min(begin + size, len(best) - 1) :])
            if found:
                best, shown, removed = found.requests, found, True
            else:
                begin += size
        if size > 1:
            size //= 2
        elif not removed:
            break
    return best, shown
