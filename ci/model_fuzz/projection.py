"""From an entry to the values of its index columns: smartstore.md 3.5 and 3.6, vectors.md reading 7."""

import re

from .json_text import Num, write

MISSING = object()
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
SMALLEST, LARGEST = -(1 << 63), (1 << 63) - 1
SQL_TYPES = {"string": "TEXT", "full_text": "TEXT", "integer": "INTEGER", "floating": "REAL"}


def project(value, steps):
    """ENT-41: through arrays element by element, without those that have nothing there.

    Whether a null in an array's object is kept is open (ENT-43); the generator makes none.
    """
    if not steps:
        return value
    if isinstance(value, dict):
        return project(value[steps[0]], steps[1:]) if steps[0] in value else MISSING
    if isinstance(value, list):
        found = [project(element, steps) for element in value]
        return [x for x in found if x is not MISSING and x is not None] or MISSING
    return MISSING


def extract(value, steps):
    """ENT-44: a json1 path does not go through arrays."""
    for step in steps:
        if not isinstance(value, dict) or step not in value:
            return MISSING
        value = value[step]
    return value


def number_of(value):
    """Reading 7: the number that a value is in a numeric index; None where it has none."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, Num):
        return value.value
    if isinstance(value, str) and NUMBER.fullmatch(value):
        return Num(value).value
    return None


def as_integer(number):
    """An INTEGER column: whole numbers within 64 bits are integers, others REAL."""
    if isinstance(number, float) and number.is_integer() and abs(number) < 2.0**63:
        return int(number)
    if isinstance(number, int) and not SMALLEST <= number <= LARGEST:
        return float(number)
    return number


def text_of(value):
    """A string column: numbers as written, booleans by name, objects and arrays as compact JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return write(value)


def column(entry, path, kind):
    """The value in the index of a path: None, int, float or str."""
    steps = path.split(".")
    value = extract(entry, steps) if kind == "json1" else project(entry, steps)
    if value is MISSING or value is None:
        return None
    if kind in ("string", "full_text"):
        return text_of(value)
    if kind == "json1":
        if isinstance(value, (bool, Num)):
            number = number_of(value)
            return float(number) if isinstance(number, int) and not SMALLEST <= number <= LARGEST else number
        return text_of(value)
    number = number_of(value)
    if number is None:
        return None
    return as_integer(number) if kind == "integer" else float(number)


def order_key(value):
    """QRY-22: nulls, then numbers by value, then text by its bytes."""
    if value is None:
        return (0, 0)
    if isinstance(value, (int, float)):
        return (1, value)
    return (2, value.encode("utf-8", "surrogatepass"))


def type_name(value):
    return {type(None): "null", int: "integer", float: "real", str: "text"}[type(value)]
