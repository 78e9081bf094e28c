"""JSON whose numbers keep their spelling: an index of type string holds a number as it was written."""

import json
import re


class Num:
    """A number of a JSON text."""

    __slots__ = ("raw",)

    def __init__(self, raw):
        self.raw = raw

    @property
    def value(self):
        return int(self.raw) if re.fullmatch(r"-?\d+", self.raw) else float(self.raw)

    def __repr__(self):
        return self.raw


def parse(text):
    return json.loads(text, parse_int=Num, parse_float=Num)


def write(value):
    """The compact text: no blanks, members in their order."""
    if isinstance(value, Num):
        return value.raw
    if isinstance(value, dict):
        return "{" + ",".join(json.dumps(k, ensure_ascii=False) + ":" + write(v) for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(write(v) for v in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def same(a, b):
    """Whether two values are equal as the vectors compare them: numbers by value, and never equal to a boolean."""
    if isinstance(a, Num):
        a = a.value
    if isinstance(b, Num):
        b = b.value
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(v, b[k]) for k, v in a.items())
    if isinstance(a, (list, tuple)):
        return isinstance(b, (list, tuple)) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, (int, float)):
        return isinstance(b, (int, float)) and a == b
    return type(a) is type(b) and a == b
