"""What the model says about an answer."""

from .json_text import same, write


class Fault(Exception):
    """The call fails with this code."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


class Open(Exception):
    """The specification leaves the answer open: whatever is answered is right."""


class Avoid(Exception):
    """The specification leaves open what the call does to the store. It is not made."""


class Any:
    """Matches every value."""


ANY = Any()


def matches(expected, actual):
    """Whether an answer is what is expected, with `ANY` for what is open."""
    if expected is ANY:
        return True
    if isinstance(expected, dict) and isinstance(actual, dict):
        return expected.keys() == actual.keys() and all(
            matches(value, actual[name]) for name, value in expected.items()
        )
    if isinstance(expected, (list, tuple)) and isinstance(actual, list):
        return len(expected) == len(actual) and all(map(matches, expected, actual))
    return same(expected, actual)


class Expectation:
    """One of several values, each with what the model learns where it is the one."""

    def __init__(self, *options, check=None):
        self.options = [option if isinstance(option, tuple) else (option, None) for option in options]
        self.check = check

    def difference(self, answer):
        """None where the answer is right, else what was expected."""
        if "fails" in answer:
            return self.text()
        value = answer.get("returns")
        right = [learn for expected, learn in self.options if matches(expected, value)]
        # Rows can be equal: then each of them may be what was answered.
        for learn in right:
            if learn:
                learn(value)
        if right:
            return None
        if self.check:
            return self.check(value)
        location = where(self.options[0][0], value) if self.options else ""
        return "%s\nat:       %s" % (self.text(), location)

    def text(self):
        return " or ".join(describe(option) for option, _ in self.options) or "a value that passes a check"


class Failure:
    def __init__(self, code):
        self.code = code

    def difference(self, answer):
        return None if answer.get("fails", {}).get("code") == self.code else "fails with " + self.code


class Anything:
    """The specification does not say. A fault that names damage is wrong even so."""

    def difference(self, answer):
        return (
            "no damage" if answer.get("fails", {}).get("code") in ("corrupt", "inputOutput", "busy", "closed") else None
        )


def where(expected, actual, path="$"):
    """The first part that differs, for the reader of a report."""
    if isinstance(expected, dict) and isinstance(actual, dict) and expected.keys() == actual.keys():
        pairs = [("%s.%s" % (path, name), value, actual[name]) for name, value in expected.items()]
    elif isinstance(expected, (list, tuple)) and isinstance(actual, list) and len(expected) == len(actual):
        pairs = [("%s[%d]" % (path, i), value, actual[i]) for i, value in enumerate(expected)]
    else:
        return "%s: %s instead of %s" % (path, describe(actual)[:300], describe(expected)[:300])
    for location, value, other in pairs:
        if not matches(value, other):
            return where(value, other, location)
    return path


def describe(value):
    if value is ANY:
        return "(any)"
    if isinstance(value, dict):
        return "{" + ",".join('"%s":%s' % (name, describe(member)) for name, member in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(describe, value)) + "]"
    return write(value)
