"""The state of the model: entries, soups, and the rules of index specs."""

from .expectation import Avoid, Fault
from .projection import SQL_TYPES, column

TYPES = ("string", "integer", "floating", "full_text", "json1")


class Entry:
    """An entry as stored. Never changed: an update makes another."""

    __slots__ = ("id", "tree", "created", "modified", "columns")

    def __init__(self, identity, tree, created, modified, columns):
        self.id, self.tree, self.created, self.modified, self.columns = identity, tree, created, modified, columns

    def with_columns(self, columns):
        return Entry(self.id, self.tree, self.created, self.modified, columns)


class Soup:
    def __init__(self, number, name, specs, external):
        self.number, self.name, self.external = number, name, external
        self.specs = specs
        self.kinds = dict(specs)
        self.entries = {}
        self.last_id = 0
        # Another number after each change; never given twice, not even after a rollback.
        self.version = 0
        # How often the soup was altered: what an older cursor shows then is open.
        self.shape = 0

    def copy(self):
        other = Soup(self.number, self.name, self.specs, self.external)
        other.entries = dict(self.entries)
        other.last_id, other.version, other.shape = self.last_id, self.version, self.shape
        return other

    def full_text_paths(self):
        return [path for path, kind in self.specs if kind == "full_text"]

    def columns_of(self, tree):
        return {path: column(tree, path, kind) for path, kind in self.specs}

    def column_name(self, path):
        return "TABLE_%d_%d" % (self.number, [p for p, _ in self.specs].index(path))

    # MARK: alterSoup and reIndexSoup

    def altered(self, specs, external, re_index):
        """LIF-36 to LIF-38: which values stay, which are computed, which are empty until a re-index."""
        other = Soup(self.number, self.name, specs, external)
        other.last_id = self.last_id
        for entry in self.entries.values():
            columns = {}
            for path, kind in specs:
                old = self.kinds.get(path)
                if kind == "json1" or (re_index and old != kind):
                    if old != kind:
                        refuse_nul(entry.tree, [(path, kind)])
                    columns[path] = column(entry.tree, path, kind)
                else:
                    stays = old is not None and SQL_TYPES.get(old) == SQL_TYPES[kind]
                    columns[path] = entry.columns[path] if stays else None
            other.entries[entry.id] = entry.with_columns(columns)
        return other

    def re_index(self, paths):
        chosen = [(path, kind) for path, kind in self.specs if path in paths]
        for entry in list(self.entries.values()):
            columns = dict(entry.columns)
            refuse_nul(entry.tree, [(path, kind) for path, kind in chosen if kind != "json1"])
            columns.update((path, column(entry.tree, path, kind)) for path, kind in chosen)
            self.entries[entry.id] = entry.with_columns(columns)


def refuse_nul(tree, specs):
    """U+0000 in an indexed value is a fault.

    Whether it is one where the index is numeric, and holds NULL for text, is open.
    """
    kinds = [kind for path, kind in specs if "\0" in (column(tree, path, "string") or "")]
    if any(kind in ("string", "full_text", "json1") for kind in kinds):
        raise Fault("invalidEntry")
    if kinds:
        raise Avoid("U+0000 under a numeric index")


def read_specs(values):
    """Reading 4. None at all is another fault, and judged by the caller."""
    specs = []
    for value in values:
        path, kind = value.get("path"), value.get("type")
        if not path or kind not in TYPES or path in [p for p, _ in specs]:
            raise Fault("invalidIndexSpec")
        if kind == "json1" and any(c in path for c in '"\\'):
            raise Avoid("whether json1 can name such a path is open (BUG-12)")
        specs.append((path, kind))
    if not specs:
        raise Fault("noIndexSpecs")
    return specs


def read_features(values):
    for value in values or []:
        if value != "externalStorage":
            raise Fault("unsupportedFeature")
    return bool(values)


def check_external(specs, external):
    if external and any(kind == "json1" for _, kind in specs):
        raise Fault("json1WithExternalStorage")
