"""One store: soups, their specs and entries, in a database in memory."""
import contextlib
import re
import sqlite3

from .faults import BUG, Fault
from .values import dump, index_value, load

TYPES = {"string": "TEXT", "full_text": "TEXT", "integer": "INTEGER", "floating": "REAL", "json1": None}
PLAIN_NAME = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)
SPECIAL = {"_soup": "soup", "_soupEntryId": "id", "_soupCreatedDate": "created", "_soupLastModifiedDate": "lastModified"}


def checked_specs(specs):
    if not isinstance(specs, list) or not specs:
        raise Fault("noIndexSpecs", "a soup needs an index spec")
    if sum(isinstance(spec, dict) and spec.get("type") != "json1" for spec in specs) > 1996:
        raise Fault("invalidIndexSpec", "a table has no more columns")
    seen = set()
    for spec in specs:
        if not isinstance(spec, dict) or not isinstance(spec.get("path"), str) or not spec["path"] or spec.get("type") not in TYPES:
            raise Fault("invalidIndexSpec", "an index spec has a path and a type")
        if any(character in spec["path"] for character in "{}:"):
            raise Fault("invalidIndexSpec", "Smart SQL cannot name the path")
        if spec["path"] in seen:
            raise Fault("invalidIndexSpec", "the path twice")
        seen.add(spec["path"])
    return [{"path": spec["path"], "type": spec["type"]} for spec in specs]


class Soup:
    def __init__(self, name, number, specs, options):
        self.name, self.table, self.specs, self.last, self.options = name, "TABLE_%d" % number, specs, 0, options

    def spec(self, path):
        return next((spec for spec in self.specs if spec["path"] == path), None)

    def column(self, path, prefix=""):
        """The SQL for a path."""
        if path in SPECIAL:
            return prefix + SPECIAL[path]
        spec = self.spec(path)
        if spec is None and not self.options.get("permissivePaths"):
            raise Fault("pathNotIndexed", "%s has no index on %s" % (self.name, path))
        if spec is None or spec["type"] == "json1":
            names = [part if PLAIN_NAME.match(part) else '"%s"' % part.replace("'", "''") for part in path.split(".")]
            return "json_extract(%ssoup, '$.%s')" % (prefix, ".".join(names))
        return "%s%s_%d" % (prefix, self.table, self.specs.index(spec))

    def columns(self):
        return [(number, spec) for number, spec in enumerate(self.specs) if spec["type"] != "json1"]

    def texts(self):
        return [(number, spec) for number, spec in enumerate(self.specs) if spec["type"] == "full_text"]


class Store:
    def __init__(self, clock):
        self.clock, self.soups, self.registered, self.cursors, self.options = clock, {}, 0, {}, {}
        self.db = sqlite3.connect(":memory:", isolation_level=None)

    def soup(self, name):
        if name not in self.soups:
            raise Fault("soupNotFound", "no soup %s" % name)
        return self.soups[name]

    def register(self, name, specs, features=None):
        if not isinstance(name, str) or not name or any(mark in name for mark in "{}:\0"):
            raise Fault("invalidSoupName", "no name for a soup")
        specs = checked_specs(specs)
        if features:
            raise Fault("unsupportedFeature", "no features here")
        if name in self.soups:
            return name
        self.registered += 1
        self.soups[name] = soup = Soup(name, self.registered, specs, self.options)
        self.make_tables(soup)
        return name

    def make_tables(self, soup):
        columns = "".join(", %s_%d %s" % (soup.table, number, TYPES[spec["type"]]) for number, spec in soup.columns())
        self.db.execute("CREATE TABLE %s (id INTEGER PRIMARY KEY, soup TEXT, created INTEGER, lastModified INTEGER%s)" % (soup.table, columns))
        if soup.texts():
            names = ",".join("%s_%d" % (soup.table, number) for number, _ in soup.texts())
            self.db.execute("CREATE VIRTUAL TABLE %s_fts USING fts5(%s)" % (soup.table, names))

    def drop_tables(self, soup):
        self.db.execute("DROP TABLE %s" % soup.table)
        self.db.execute("DROP TABLE IF EXISTS %s_fts" % soup.table)

    def write(self, soup, identity, entry, created, modified, columns=None):
        """Replaces the row of an entry; columns maps spec numbers to values that are kept instead of computed."""
        values = {number: index_value(entry, spec["path"], spec["type"]) for number, spec in soup.columns()}
        values.update(columns or {})
        for spec in soup.specs:
            if spec["type"] == "json1":
                index_value(entry, spec["path"], "string")  # SQLite would read a text up to U+0000 only
        marks = "".join(", ?" for _ in values)
        self.db.execute("INSERT OR REPLACE INTO %s VALUES (?, ?, ?, ?%s)" % (soup.table, marks), [identity, dump(entry), created, modified] + list(values.values()))
        if soup.texts():
            self.db.execute("DELETE FROM %s_fts WHERE rowid = ?" % soup.table, [identity])
            texts = [values[number] for number, _ in soup.texts()]
            names = ",".join("%s_%d" % (soup.table, number) for number, _ in soup.texts())
            self.db.execute("INSERT INTO %s_fts (rowid, %s) VALUES (?%s)" % (soup.table, names, ", ?" * len(texts)), [identity] + texts)

    def rows(self, soup):
        return self.db.execute("SELECT id, soup, created, lastModified FROM %s ORDER BY id" % soup.table).fetchall()

    def alter(self, name, specs, re_index, features=None):
        soup = self.soup(name)
        specs = checked_specs(specs)
        if features:
            raise Fault("unsupportedFeature", "no features here")
        rows = self.rows(soup)
        old = {spec["path"]: (number, spec) for number, spec in soup.columns()}
        kept = {}
        for row in rows:
            kept[row[0]] = {}
            for number, spec in enumerate(specs):
                if TYPES[spec["type"]] is None:
                    if spec not in soup.specs:
                        # SQLite would read a text up to U+0000 only.
                        index_value(load(row[1]), spec["path"], "string")
                    continue
                before = old.get(spec["path"])
                if before and TYPES[before[1]["type"]] == TYPES[spec["type"]]:
                    value = self.db.execute("SELECT %s_%d FROM %s WHERE id = ?" % (soup.table, before[0], soup.table), [row[0]]).fetchone()[0]
                    # A path that gets another type is computed again, and no other one (LIF-37).
                    if not re_index or spec["type"] == before[1]["type"]:
                        kept[row[0]][number] = value
                elif not re_index and {"path": spec["path"], "type": "json1"} not in soup.specs:
                    kept[row[0]][number] = None
        with self.whole(soup):
            self.drop_tables(soup)
            soup.specs = specs
            self.make_tables(soup)
            for identity, text, created, modified in rows:
                self.write(soup, identity, load(text), created, modified, kept[identity])
        return name

    @contextlib.contextmanager
    def whole(self, soup):
        """All of a change of a soup, or nothing of it."""
        specs = soup.specs
        self.db.execute("BEGIN")
        try:
            yield
        except Fault:
            self.db.execute("ROLLBACK")
            soup.specs = specs
            raise
        self.db.execute("COMMIT")

    def re_index(self, name, paths):
        soup = self.soup(name)
        with self.whole(soup):
            for identity, text, created, modified in self.rows(soup):
                row = self.db.execute("SELECT * FROM %s WHERE id = ?" % soup.table, [identity]).fetchone()
                kept = {number: row[4 + index] for index, (number, spec) in enumerate(soup.columns()) if spec["path"] not in paths}
                self.write(soup, identity, load(text), created, modified, kept)
        return name

    def upsert(self, name, entries, external=None):
        soup = self.soup(name)
        if external not in (None, "_soupEntryId") and soup.spec(external) is None:
            raise Fault("pathNotIndexed", "an external id needs an index")
        before = soup.last
        self.db.execute("BEGIN")
        try:
            stored = [self.upsert_one(soup, entry, external) for entry in entries]
        except Fault:
            self.db.execute("COMMIT" if BUG == "batch-not-atomic" else "ROLLBACK")
            soup.last = before
            raise
        self.db.execute("COMMIT")
        return stored

    def upsert_one(self, soup, entry, external):
        if not isinstance(entry, dict):
            raise Fault("invalidEntry", "an entry is an object")
        identity = entry.get("_soupEntryId")
        if external not in (None, "_soupEntryId"):
            column = soup.column(external)
            spec = soup.spec(external)
            if spec["type"] == "json1":
                # SQLite's own reading of the entry: it does not look through arrays.
                key = self.db.execute("SELECT %s FROM (SELECT ? AS soup)" % column, [dump(entry)]).fetchone()[0]
            else:
                key = index_value(entry, external, spec["type"])
            if key is None:
                raise Fault("externalIdMissing", "no value at %s" % external)
            found = [row[0] for row in self.db.execute("SELECT id FROM %s WHERE %s = ?" % (soup.table, column), [key])]
            if len(found) > 1:
                raise Fault("externalIdNotUnique", "more than one entry")
            identity = found[0] if found else None
        row = None
        if isinstance(identity, int) and not isinstance(identity, bool):
            row = self.db.execute("SELECT created FROM %s WHERE id = ?" % soup.table, [identity]).fetchone()
        now = self.clock.now
        if row is None:
            if BUG == "ids-reused":
                soup.last = self.db.execute("SELECT ifnull(max(id), 0) FROM %s" % soup.table).fetchone()[0]
            soup.last += 1
            identity = soup.last
        entry = dict(entry)
        entry["_soupEntryId"] = identity
        entry["_soupLastModifiedDate"] = now
        self.write(soup, identity, entry, row[0] if row else now, now)
        return entry

    def remove(self, soup, identities):
        for identity in identities:
            self.db.execute("DELETE FROM %s WHERE id = ?" % soup.table, [identity])
            if soup.texts():
                self.db.execute("DELETE FROM %s_fts WHERE rowid = ?" % soup.table, [identity])
        return "OK"

    def drop(self, name):
        if name in self.soups:
            self.drop_tables(self.soups.pop(name))
        return "OK"
