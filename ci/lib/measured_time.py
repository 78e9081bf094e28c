"""The text of a measured time."""


def time(nanoseconds):
    """A time with three digits: 6.48 us, 1.20 ms; ? where nothing was measured."""
    if not nanoseconds:
        return "?"
    value = float(nanoseconds)
    for unit in ("ns", "us", "ms"):
        if value < 1000:
            break
        value, unit = value / 1000, {"ns": "us", "us": "ms", "ms": "s"}[unit]
    return "%s %s" % (("%.2f" if value < 10 else "%.1f" if value < 100 else "%.0f") % value, unit)
