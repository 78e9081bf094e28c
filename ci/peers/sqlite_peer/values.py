"""JSON texts with their numbers as written, paths, and the values of an index."""
import base64
import json
import re

from .faults import BUG, Fault


class Real(float):
    """A number that remembers its digits."""

    def __new__(cls, text):
        value = super().__new__(cls, text)
        value.text = text
        return value


DEPTH = 512
HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")
BLANKS = re.compile(r"[ \t\r\n]*")


def members(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise RepeatedName("a member name twice")
    return dict(pairs)


TOKENS = re.compile(r'("(?:[^"\\]|\\.)*")([ \t\r\n]*:)?|[{}\[\]]')


def repeated_name(text):
    """The byte offset of the first name that its object has had before; the text has one."""
    known = []  # the names of each open object, None for an array
    for token in TOKENS.finditer(text):
        if token.group(2):
            name = json.loads(token.group(1))
            if name in known[-1]:
                return len(text[: token.start()].encode("utf-8"))
            known[-1].add(name)
        elif token.group() in ("{", "["):
            known.append(set() if token.group() == "{" else None)
        elif token.group() in ("}", "]"):
            known.pop()


class RepeatedName(ValueError):
    pass


def depth_of(text):
    depth = deepest = 0
    inside = escaped = False
    for character in text:
        if inside:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                inside = False
        elif character == '"':
            inside = True
        elif character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


def no_constant(name):
    raise Fault("invalidEntry", "%s is not JSON" % name)


def load(text):
    integer = (lambda digits: int(float(digits))) if BUG == "numbers-through-float" else int
    number = lambda digits: Real(digits) if digits == "-0" else integer(digits)  # noqa: E731
    try:
        value = json.loads(text, parse_float=Real, parse_int=number, parse_constant=no_constant, object_pairs_hook=members)
        if HALF_PAIR.search(text):
            dump(value).encode("utf-8")  # half of a surrogate pair has no bytes
        return value
    except RepeatedName as error:
        raise Fault("invalidEntry", str(error), repeated_name(text))
    except (ValueError, RecursionError) as error:
        raise Fault("invalidEntry", str(error))


def bad_element(text):
    """The byte offset of the first element of an array in a JSON text that is not an object."""
    decoder, position = json.JSONDecoder(), text.index("[") + 1
    while True:
        position = BLANKS.match(text, position).end()
        value, end = decoder.raw_decode(text, position)
        if not isinstance(value, dict):
            return len(text[:position].encode("utf-8"))
        position = text.index(",", end) + 1


def dump(value):
    if isinstance(value, Real):
        return value.text
    if isinstance(value, dict):
        return "{" + ",".join(json.dumps(name, ensure_ascii=False) + ":" + dump(member) for name, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(dump(element) for element in value) + "]"
    if isinstance(value, bytes):
        return '"%s"' % base64.b64encode(value).decode("ascii")
    return json.dumps(value, ensure_ascii=False)


def whole(value, what):
    """A whole number, which may be written with a point."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value):
        raise Fault("invalidArguments", "%s must be a whole number" % what)
    return int(value)


ABSENT = object()


def project(value, steps):
    """The value at a path; ABSENT where there is none. An array step maps over the elements and leaves out the misses."""
    if not steps:
        return value
    if isinstance(value, dict):
        return project(value[steps[0]], steps[1:]) if steps[0] in value else ABSENT
    if isinstance(value, list):
        found = [project(element, steps) for element in value]
        kept = [None if part is ABSENT else part for part in found if BUG == "array-step-keeps-misses" or (part is not ABSENT and part is not None)]
        return kept if kept else ABSENT
    return ABSENT


NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][-+]?\d+)?\Z")


def index_value(entry, path, kind):
    value = project(entry, path.split("."))
    if value is ABSENT or value is None:
        return None
    if kind in ("string", "full_text"):
        if isinstance(value, str):
            if "\0" in value:
                raise Fault("invalidEntry", "U+0000 in an indexed value")
            return value
        return dump(value)
    if isinstance(value, bool):
        value = int(value)
    elif isinstance(value, str):
        if not NUMBER.match(value):
            return None
        value = float(value) if any(mark in value for mark in ".eE") else int(value)
    elif not isinstance(value, (int, float)):
        return None
    if kind == "floating" or isinstance(value, float):
        return float(value)
    return value if -(2**63) <= value < 2**63 else float(value)
