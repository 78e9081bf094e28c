"""Reads a plain store with Python's own sqlite3 and compares it with the model: smartstore.md 1.1 to 1.4.

Works on a copy of the file and its -wal. Another process reads them, so no lock of the server is dropped; the server
waits for its next call.
"""

import json
import os
import re
import shutil
import sqlite3
import tempfile

from .json_text import same
from .projection import SQL_TYPES, type_name

SHADOWS = ("", "_data", "_idx", "_content", "_docsize", "_config")


class Check:
    def __init__(self, path, model):
        self.path, self.soups = path, {soup.number: soup for soup in model.committed().values()}
        self.in_transaction = model.saved is not None
        self.found = []

    def expect(self, what, expected, actual):
        if not same_rows(expected, actual):
            self.found.append("%s: expected %s, found %s" % (what, show(expected), show(actual)))

    def run(self):
        """The differences, as texts."""
        with tempfile.TemporaryDirectory(prefix="soup-model-fuzz-copy-", dir=os.path.dirname(self.path)) as folder:
            copy = os.path.join(folder, "copy.db")
            shutil.copyfile(self.path, copy)
            if os.path.exists(self.path + "-wal"):
                shutil.copyfile(self.path + "-wal", copy + "-wal")
            connection = sqlite3.connect(copy)
            try:
                self.rows = lambda sql, *values: connection.execute(sql, values).fetchall()
                self.database()
                for soup in self.soups.values():
                    self.soup(soup)
            except sqlite3.Error as error:
                self.found.append("sqlite3: %s" % error)
            finally:
                connection.close()
        # Files that an open transaction wrote are there before its commit.
        if not self.in_transaction:
            self.files()
        return self.found

    # MARK: the database

    def database(self):
        self.expect("integrity_check", [("ok",)], self.rows("PRAGMA integrity_check"))
        self.expect("unfinished alterations", [], self.rows("SELECT details FROM long_operations_status"))
        self.expect(
            "soup_attrs",
            [(number, soup.name, int(soup.external)) for number, soup in sorted(self.soups.items())],
            self.rows("SELECT id, soupName, externalStorage FROM soup_attrs ORDER BY id"),
        )
        mapped = [
            (soup.name, path, "TABLE_%d_%d" % (soup.number, i) if kind != "json1" else None, kind)
            for soup in self.soups.values()
            for i, (path, kind) in enumerate(soup.specs)
        ]
        # SCH-12: how the expression of a json1 path is quoted is open.
        self.expect(
            "soup_index_map",
            sorted(mapped, key=str),
            sorted(
                self.rows(
                    "SELECT soupName, path, CASE columnType WHEN 'json1' THEN NULL ELSE columnName END, columnType "
                    "FROM soup_index_map"
                ),
                key=str,
            ),
        )
        tables, indexes = set(), set()
        for number, soup in self.soups.items():
            tables.add("TABLE_%d" % number)
            if soup.full_text_paths():
                tables.update("TABLE_%d_fts%s" % (number, shadow) for shadow in SHADOWS)
            indexes.update(
                "TABLE_%d_%s_idx" % (number, name)
                for name in ["created", "lastModified"] + [str(i) for i in range(len(soup.specs))]
            )
        names = self.rows("SELECT type, name FROM sqlite_master WHERE name LIKE 'TABLE%' AND name NOT LIKE 'sqlite%'")
        self.expect("tables of soups", sorted(tables), sorted(name for kind, name in names if kind == "table"))
        self.expect("indexes of soups", sorted(indexes), sorted(name for kind, name in names if kind == "index"))
        known = self.rows("SELECT name FROM sqlite_sequence WHERE name LIKE 'TABLE%'")
        self.expect("sequences of soups that are gone", [], [name for name, in known if name not in tables])

    def soup(self, soup):
        table = "TABLE_%d" % soup.number
        entries = sorted(soup.entries.values(), key=lambda entry: entry.id)
        sequence = self.rows("SELECT seq FROM sqlite_sequence WHERE name = ?", table)
        self.expect(table + " last id", soup.last_id, sequence[0][0] if sequence else 0)
        columns = [("id", "INTEGER"), ("created", "INTEGER"), ("lastModified", "INTEGER")]
        if not soup.external:
            columns.insert(1, ("soup", "TEXT"))
        stored = [(soup.column_name(path), path, SQL_TYPES[kind]) for path, kind in soup.specs if kind != "json1"]
        columns += [(name, kind) for name, _, kind in stored]
        self.expect(table + " columns", columns, self.rows("SELECT name, type FROM pragma_table_info(?)", table))
        self.expect(
            table + " dates",
            [(entry.id, entry.created, entry.modified) for entry in entries],
            self.rows("SELECT id, created, lastModified FROM %s ORDER BY id" % table),
        )
        for name, path, _ in stored:
            self.expect(
                "%s %s" % (table, name),
                [(entry.id, entry.columns[path], type_name(entry.columns[path])) for entry in entries],
                self.rows("SELECT id, %s, typeof(%s) FROM %s ORDER BY id" % (name, name, table)),
            )
        if not soup.external:
            texts = self.rows("SELECT id, soup FROM %s ORDER BY id" % table)
            if len(texts) != len(entries) or not all(
                same(entry.tree, json.loads(text)) for entry, (_, text) in zip(entries, texts)
            ):
                self.found.append(table + ": entries differ")
        if soup.full_text_paths():
            self.full_text(soup, table + "_fts", entries)

    def full_text(self, soup, table, entries):
        paths = soup.full_text_paths()
        names = [soup.column_name(path) for path in paths]
        self.expect(
            table + " columns", [(name,) for name in names], self.rows("SELECT name FROM pragma_table_info(?)", table)
        )
        self.expect(
            table,
            [(entry.id, *[entry.columns[path] for path in paths]) for entry in entries],
            self.rows("SELECT rowid, %s FROM %s ORDER BY rowid" % (", ".join(names), table)),
        )
        self.rows("INSERT INTO %s(%s) VALUES('integrity-check')" % (table, table))

    # MARK: files of external entries

    def files(self):
        """EXT-04: one file for each entry, in a folder for each soup."""
        root = next(
            (
                self.path[:cut] + "_external_soup_blobs"
                for cut in (None, -3)
                if os.path.isdir(self.path[:cut] + "_external_soup_blobs")
            ),
            None,
        )
        there = set()
        for folder, _, names in os.walk(root or "/nonexistent"):
            there.update(os.path.relpath(os.path.join(folder, name), root) for name in names)
        entries = [
            (soup.number, entry) for soup in self.soups.values() if soup.external for entry in soup.entries.values()
        ]
        wanted = {"TABLE_%d/soupelt_%d" % (number, entry.id) for number, entry in entries}
        # What follows the id names the version.
        actual = [re.sub(r"(soupelt_\d+)_.*", r"\1", name) for name in there]
        self.expect("external files", sorted(wanted), sorted(actual))


def same_rows(a, b):
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same_rows, a, b))
    return same(a, b)


def show(value):
    text = repr(value)
    return text if len(text) < 600 else text[:600] + "..."
