"""Query specs and Smart SQL: their SQL, and pages of rows."""
import re
import sqlite3

from .faults import BUG, Fault
from .soups import SPECIAL
from .values import load

KINDS = ("all", "exact", "range", "like", "match", "smart")
TOKEN = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\n]*|/\*.*?\*/|\{[^{}]*\}?|\w+|.", re.S)


def translate(store, text):
    """The SQL of a Smart SQL text. One SELECT only."""
    words, output, offset, previous, ended = [], [], 0, "", False
    for match in TOKEN.finditer(text):
        token = match.group()
        if token.startswith("{"):
            token = reference(store, token, offset, previous)
        elif token.startswith(("--", "/*")):
            token = " "
        elif token == ";":
            ended, token = True, " "
        elif ended and not token.isspace():
            raise Fault("notASelect", "more than one statement", offset)
        elif token[0].isalpha():
            words.append(token.lower())
            if token.lower() == "match":
                raise Fault("matchInSmartSQL", "MATCH is for match queries", offset)
        output.append(token)
        previous = match.group()
        offset += len(match.group().encode("utf-8"))
    if not words or words[0] not in ("select", "with"):
        raise Fault("notASelect", "only SELECT", 0)
    return "".join(output)


def reference(store, token, offset, previous):
    parts = token[1:-1].split(":") if token.endswith("}") else []
    if not parts or len(parts) > 2 or not all(parts):
        raise Fault("invalidReference", "a reference is {soup} or {soup:path}", offset)
    if parts[0] not in store.soups:
        raise Fault("soupNotFound", "no soup %s" % parts[0], offset)
    soup = store.soups[parts[0]]
    if len(parts) == 1:
        return soup.table
    try:
        return soup.column(parts[1], "" if previous == "." or parts[1] not in SPECIAL else soup.table + ".")
    except Fault as fault:
        raise Fault(fault.code, fault.message, offset)


def checked(spec, soup_name):
    """Refuses what no query spec is; gives its page size."""
    if not isinstance(spec, dict) or spec.get("queryType") not in KINDS or (spec.get("queryType") == "smart") != (soup_name is None):
        raise Fault("invalidQuerySpec", "no query spec for this call")
    if spec.get("order") not in (None, "ascending", "descending"):
        raise Fault("invalidQuerySpec", "no such order")
    needed = {"exact": ("indexPath", "matchKey"), "range": ("indexPath",), "like": ("indexPath", "likeKey"), "match": ("matchKey",), "smart": ("smartSql",)}
    for key in needed.get(spec["queryType"], ()):
        if spec.get(key) is None:
            raise Fault("invalidQuerySpec", "%s is missing" % key)
    size = spec.get("pageSize")
    size = 10 if size is None else size
    if not isinstance(size, int) or isinstance(size, bool) or size < 1:
        raise Fault("invalidPageSize", "a page has at least one entry")
    return size


class Query:
    """A query spec made SQL: the rows, their count and ids."""

    def __init__(self, store, spec, soup_name=None, arguments=()):
        self.store, self.page_size, self.arguments = store, checked(spec, soup_name), [bindable(argument) for argument in arguments]
        self.order, self.paths = "", spec.get("selectPaths")
        if soup_name is None:
            self.sql = translate(store, spec["smartSql"])
            wanted = self.sql.count("?")
            if len(re.sub(r"'(?:[^']|'')*'", "", self.sql).split("?")) - 1 != len(self.arguments):
                raise Fault("argumentsMismatch", "%d arguments for %d" % (len(self.arguments), wanted))
            self.soup = None
            return
        self.soup = soup = store.soup(soup_name)
        direction = " DESC" if spec.get("order") == "descending" else " ASC"
        where = self.condition(spec)
        order_path = spec.get("orderPath") or (spec.get("indexPath") if spec.get("order") else None)
        if order_path is not None:
            self.order = " ORDER BY " + soup.column(order_path) + direction + ("" if BUG == "ties-unordered" else ", id" + direction)
        else:
            self.order = " ORDER BY id" + direction
        columns = ["soup"] if self.paths is None else [soup.column(path) for path in self.paths]
        selected = ", ".join("%s AS c%d" % (column, place) for place, column in enumerate(columns))
        self.from_where = " FROM %s%s" % (soup.table, where)
        self.sql = "SELECT %s%s%s" % (selected, self.from_where, self.order)

    def condition(self, spec):
        kind, soup = spec["queryType"], self.soup
        if kind == "all":
            return ""
        if kind == "match":
            path = spec.get("indexPath")
            if not soup.texts() or (path is not None and (soup.spec(path) or {}).get("type") != "full_text"):
                raise Fault("pathNotIndexed", "no full-text index")
            key = re.sub(r"\{[^{}:]+:([^{}]+)\}", lambda found: soup.column(found.group(1)), spec["matchKey"])
            self.arguments = [key if path is None else "%s : (%s)" % (soup.column(path), key)]
            return " WHERE id IN (SELECT rowid FROM %s_fts WHERE %s_fts MATCH ?)" % (soup.table, soup.table)
        column = soup.column(spec["indexPath"])
        json1 = (soup.spec(spec["indexPath"]) or {}).get("type") == "json1"
        parts = {"exact": [("matchKey", "=")], "like": [("likeKey", "LIKE")], "range": [("beginKey", ">="), ("endKey", "<" if BUG == "range-excludes-end" else "<=")]}
        terms = []
        for key, operator in parts[kind]:
            value = spec.get(key)
            if value is None:
                continue
            if json1 and operator == "=" and isinstance(value, (str, int)):
                terms.append("(%s = ? OR CAST(%s AS TEXT) = ?)" % (column, column))
                self.arguments += [bindable(value), value if isinstance(value, str) else str(value)]
            else:
                terms.append("%s %s ?" % (column, operator))
                self.arguments.append(bindable(value))
        return " WHERE " + " AND ".join(terms) if terms else ""

    def run(self, sql, *more):
        try:
            cursor = self.store.db.execute(sql, list(self.arguments) + list(more))
            names = [column[0] for column in cursor.description]
            return names, cursor.fetchall()
        except sqlite3.Error as error:
            code = "invalidMatchExpression" if "MATCH" in sql else "sqlError"
            raise Fault(code, str(error))

    def count(self):
        sql = "SELECT count(*) FROM (%s)" % self.sql if self.soup is None else "SELECT count(*)" + self.from_where
        return self.run(sql)[1][0][0]

    def identities(self):
        if self.soup is None:
            return [row[0] for row in self.run("SELECT id FROM (%s)" % self.sql)[1]]
        return [row[0] for row in self.run("SELECT id" + self.from_where)[1]]

    def page(self, index):
        if self.soup is None:
            names, rows = self.run("SELECT * FROM (%s) LIMIT ? OFFSET ?" % self.sql, self.page_size, index * self.page_size)
            parsed = [name == "soup" or name.startswith("soup:") for name in names]
            return [[load(value) if parsed[place] and value is not None else value for place, value in enumerate(row)] for row in rows]
        rows = self.run(self.sql + " LIMIT ? OFFSET ?", self.page_size, index * self.page_size)[1]
        if self.paths is None:
            return [load(row[0]) for row in rows]
        return [[load(value) if path == "_soup" else value for path, value in zip(self.paths, row)] for row in rows]


def bindable(value):
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (dict, list)):
        raise Fault("invalidQuerySpec", "a key is a text or a number")
    return float(value) if isinstance(value, float) else value


class Cursor:
    def __init__(self, store, query):
        self.query, self.index = query, 0
        self.total = query.count()
        self.pages = -(-self.total // query.page_size)
        self.identity = len(store.cursors) + 1
        store.cursors[self.identity] = self

    def show(self):
        return {
            "cursorId": self.identity, "currentPageIndex": self.index, "pageSize": self.query.page_size, "totalEntries": self.total,
            "totalPages": self.pages, "currentPageOrderedEntries": self.query.page(self.index),
        }


def published(spec, soup_name):
    """The Smart SQL text that stands for a query spec."""
    checked(spec, soup_name)
    if soup_name is None:
        return spec["smartSql"]
    name = "{%s" % soup_name
    paths = spec.get("selectPaths")
    selected = name + ":_soup}" if paths is None else ", ".join("%s:%s}" % (name, path) for path in paths)
    where, kind, column = "", spec["queryType"], "%s:%s}" % (name, spec.get("indexPath"))
    if kind == "exact":
        where = "WHERE %s = ? " % column
    elif kind == "like":
        where = "WHERE %s LIKE ? " % column
    elif kind == "range":
        terms = [column + sign for key, sign in (("beginKey", " >= ?"), ("endKey", " <= ?")) if spec.get(key) is not None]
        where = "WHERE %s " % " AND ".join(terms) if terms else ""
    elif kind == "match":
        raise Fault("unsupported", "match is not described here")
    order = "ORDER BY %s:%s} %s " % (name, spec["orderPath"], "DESC" if spec.get("order") == "descending" else "ASC") if spec.get("orderPath") else ""
    return "SELECT %s FROM %s} %s%s" % (selected, name, where, order)
