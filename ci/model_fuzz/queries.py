"""Query specs: smartstore.md 4, vectors.md readings 3, 7 and 9."""

import re

from .expectation import Avoid, Fault, Open
from .fulltext import Expression
from .json_text import Num
from .projection import as_integer, number_of, order_key, text_of

SYSTEM = {"_soupEntryId": "integer", "_soupLastModifiedDate": "integer", "_soupCreatedDate": "integer", "_soup": "soup"}
KINDS = ("all", "exact", "range", "like", "match")
CANONICAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?")
ASCII_LOWER = {c: c + 32 for c in range(65, 91)}


def value_at(entry, path):
    if path == "_soupEntryId":
        return entry.id
    if path == "_soupLastModifiedDate":
        return entry.modified
    if path == "_soupCreatedDate":
        return entry.created
    return entry.tree if path == "_soup" else entry.columns[path]


def kind_of(soup, path):
    kind = SYSTEM.get(path) or soup.kinds.get(path)
    if kind is None:
        raise Fault("pathNotIndexed")
    return kind


def key_number(key, kind):
    number = number_of(key)
    if number is None:
        return None
    return float(number) if kind == "floating" else as_integer(number)


class Query:
    """A query spec over a soup, checked."""

    def __init__(self, soup, spec):
        self.soup, self.spec = soup, spec
        self.kind = spec.get("queryType")
        if self.kind not in KINDS:
            raise Fault("invalidQuerySpec")
        order = spec.get("order")
        if order not in (None, "ascending", "descending"):
            raise Fault("invalidQuerySpec")
        size = spec.get("pageSize")
        self.page_size = 10 if size is None else number_of(size)
        if self.page_size < 1:
            raise Fault("invalidPageSize")
        self.path = spec.get("indexPath")
        self.descending = order == "descending"
        # QRY-04: an order without a path is by the path of the condition.
        self.order_path = spec.get("orderPath") or (self.path if order else None)
        if order and not self.order_path:
            raise Avoid("an order without any path")
        self.select = spec.get("selectPaths")
        self.test = getattr(self, "test_" + self.kind)()
        for path in ([self.order_path] if self.order_path else []) + (self.select or []):
            kind_of(soup, path)
        if self.order_path == "_soup" or self.path == "_soup":
            raise Avoid("whole entries as keys")

    def sort_key(self, entry):
        return (order_key(value_at(entry, self.order_path)) if self.order_path else (), entry.id)

    def entries(self):
        found = [entry for entry in self.soup.entries.values() if self.test(entry)]
        # Reading 9: ties by id, in the direction of the order.
        return sorted(found, key=self.sort_key, reverse=self.descending)

    def row(self, entry):
        return entry.tree if self.select is None else [value_at(entry, path) for path in self.select]

    def require(self, name):
        key = self.spec.get(name)
        if key is None or (self.path is None and self.kind != "match"):
            raise Fault("invalidQuerySpec")
        return key

    # MARK: the kinds

    def test_all(self):
        if self.path:
            kind_of(self.soup, self.path)
        return lambda entry: True

    def test_exact(self):
        key = self.require("matchKey")
        kind = kind_of(self.soup, self.path)
        return lambda entry: equals(kind, value_at(entry, self.path), key)

    def test_range(self):
        begin, end = self.spec.get("beginKey"), self.spec.get("endKey")
        if self.path is None:
            if begin is None and end is None:
                return lambda entry: True
            raise Fault("invalidQuerySpec")
        kind = kind_of(self.soup, self.path)
        if begin is None and end is None:
            return lambda entry: True
        return lambda entry: within(kind, value_at(entry, self.path), begin, end)

    def test_like(self):
        key = text_of(self.require("likeKey"))
        kind_of(self.soup, self.path)
        pattern = "".join(".*" if c == "%" else "." if c == "_" else re.escape(c) for c in key.translate(ASCII_LOWER))
        compiled = re.compile(pattern, re.DOTALL)
        return lambda entry: like(compiled, value_at(entry, self.path))

    def test_match(self):
        key = text_of(self.require("matchKey"))
        if self.path is not None and self.soup.kinds.get(self.path) != "full_text":
            raise Fault("pathNotIndexed")
        if not self.soup.full_text_paths():
            raise Fault("pathNotIndexed")
        expression = Expression(key, self.soup, self.path)
        return lambda entry: expression.matches(entry.columns)


def like(compiled, value):
    if value is None:
        return False
    if isinstance(value, float):
        # SQLite writes a REAL with 15 digits; how others are written is open.
        if value != round(value, 3) or abs(value) > 1e9:
            raise Open
        value = repr(value)
    return compiled.fullmatch(str(value).translate(ASCII_LOWER)) is not None


def key_text(key):
    """The text of a key of a text index. A number of a spec has no spelling to rely on but the shortest."""
    if isinstance(key, Num) and not CANONICAL.fullmatch(key.raw):
        raise Open
    return text_of(key)


def equals(kind, value, key):
    if value is None:
        return False
    if kind in ("string", "full_text"):
        return value == key_text(key)
    if kind == "json1":
        if isinstance(key, str):
            return value == key or (
                isinstance(value, (int, float)) and spelled(key) is not None and value == spelled(key)
            )
        number = key_number(key, kind)
        return isinstance(value, (int, float)) and value == number
    number = key_number(key, kind)
    return number is not None and value == number


def spelled(key):
    """The number that a text key of a json1 path spells.

    "07" spells none; other spellings than the shortest are open.
    """
    if CANONICAL.fullmatch(key):
        return as_integer(Num(key).value)
    if number_of(key) is not None and not key.startswith("0"):
        raise Open
    return None


def within(kind, value, begin, end):
    if value is None:
        return False
    keys = [key for key in (begin, end) if key is not None]
    if kind in ("string", "full_text"):
        bounds = [None if key is None else order_key(key_text(key)) for key in (begin, end)]
        return between(order_key(value), bounds)
    if kind == "json1":
        texts = [isinstance(key, str) for key in keys]
        if any(texts) and not all(texts):
            raise Open
        if not texts[0]:
            # Whether text is greater than every number here is open without an upper bound.
            if end is None:
                raise Open
            return isinstance(value, (int, float)) and between(
                order_key(value), [None if k is None else order_key(key_number(k, kind)) for k in (begin, end)]
            )
        numbers = [None if key is None else spelled(key) for key in (begin, end)]
        if any(
            number is None and key is not None and number_of(key) is not None
            for number, key in zip(numbers, (begin, end))
        ):
            raise Open
        if all(number_of(key) is not None for key in keys):
            if isinstance(value, str):
                return between(order_key(value), [None if k is None else order_key(k) for k in (begin, end)])
            return between(order_key(value), [None if n is None else order_key(n) for n in numbers])
        if any(number_of(key) is not None for key in keys) or begin is None:
            raise Open
        return isinstance(value, str) and between(
            order_key(value), [None if k is None else order_key(k) for k in (begin, end)]
        )
    if any(number_of(key) is None for key in keys):
        raise Open
    return between(order_key(value), [None if k is None else order_key(key_number(k, kind)) for k in (begin, end)])


def between(key, bounds):
    return (bounds[0] is None or bounds[0] <= key) and (bounds[1] is None or key <= bounds[1])
