"""Query specs and Smart SQL: their SQL, and pages of rows."""
import re
import sqlite3

from .faults import BUG, Fault
from .soups import SPECIAL
from .values import NUMBER, dump, load, whole

JSON_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?\Z")
KINDS = ("all", "exact", "range", "like", "match", "smart")
TOKEN = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|\[[^\]]*\]|--[^\n]*|/\*.*?\*/|\{[^{}]*\}?|\w+|.", re.S)


def translate(store, text):
    """The SQL of a Smart SQL text. One SELECT only."""
    words, output, offset, previous, ended = [], [], 0, "", False
    for match in TOKEN.finditer(text):
        token = match.group()
        if token.startswith("{"):
            alias = ""
            if previous == "." and len(output) > 1:
                alias = output[-2] + "."
                del output[-2:]
            token = reference(store, token, offset, alias)
        elif token.startswith(("--", "/*")):
            pass
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


def reference(store, token, offset, alias):
    parts = token[1:-1].split(":") if token.endswith("}") else []
    if not parts or len(parts) > 2 or not all(parts):
        raise Fault("invalidReference", "a reference is {soup} or {soup:path}", offset)
    if parts[0] not in store.soups:
        raise Fault("soupNotFound", "no soup %s" % parts[0], offset)
    soup = store.soups[parts[0]]
    if len(parts) == 1:
        return alias + soup.table
    try:
        return soup.column(parts[1], alias or (soup.table + "." if parts[1] in SPECIAL else ""))
    except Fault as fault:
        raise Fault(fault.code, fault.message, offset)


def checked(spec, soup_name):
    """Refuses what no query spec is; gives its page size."""
    if not isinstance(spec, dict) or not isinstance(spec.get("queryType"), str) or spec["queryType"] not in KINDS or (spec.get("queryType") == "smart") != (soup_name is None):
        raise Fault("invalidQuerySpec", "no query spec for this call")
    if spec.get("order") is not None and spec["order"] not in ("ascending", "descending"):
        raise Fault("invalidQuerySpec", "no such order")
    paths = [spec.get("indexPath"), spec.get("orderPath")]
    if spec.get("selectPaths") is not None:
        if not isinstance(spec["selectPaths"], list) or not spec["selectPaths"]:
            raise Fault("invalidQuerySpec", "selectPaths are an array")
        paths += [path if path is not None else 0 for path in spec["selectPaths"]]
    if any(path is not None and not isinstance(path, str) for path in paths):
        raise Fault("invalidQuerySpec", "a path is a text")
    needed = {"exact": ("indexPath", "matchKey"), "range": ("indexPath",), "like": ("indexPath", "likeKey"), "match": ("matchKey",), "smart": ("smartSql",)}
    for key in needed.get(spec["queryType"], ()):
        if spec.get(key) is None or key == "smartSql" and not isinstance(spec[key], str):
            raise Fault("invalidQuerySpec", "%s is missing" % key)
    size = spec.get("pageSize")
    try:
        size = 10 if size is None else whole(size, "pageSize")
    except Fault as fault:
        raise Fault("invalidQuerySpec", fault.message)
    if size < 1:
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
        selected = ", ".join("%s AS c%d" % (column, index) for index, column in enumerate(columns))
        self.from_where = " FROM %s%s" % (soup.table, where)
        self.sql = "SELECT %s%s%s" % (selected, self.from_where, self.order)

    def condition(self, spec):
        kind, soup = spec["queryType"], self.soup
        if kind == "all":
            if spec.get("indexPath") is not None:
                soup.column(spec["indexPath"])
            return ""
        if kind == "match":
            path = spec.get("indexPath")
            if not soup.texts() or (path is not None and (soup.spec(path) or {}).get("type") != "full_text"):
                raise Fault("pathNotIndexed", "no full-text index")
            key = re.sub(r"\{[^{}:]+:([^{}]+)\}", lambda found: soup.column(found.group(1)), spec["matchKey"])
            self.arguments = [key if path is None else "%s : (%s)" % (soup.column(path), key)]
            return " WHERE id IN (SELECT rowid FROM %s_fts WHERE %s_fts MATCH ?)" % (soup.table, soup.table)
        column = soup.column(spec["indexPath"])
        kind_of_index = (soup.spec(spec["indexPath"]) or {}).get("type")
        json1 = kind_of_index == "json1"
        parts = {"exact": [("matchKey", "=")], "like": [("likeKey", "LIKE")], "range": [("beginKey", ">="), ("endKey", "<" if BUG == "range-excludes-end" else "<=")]}
        terms = []
        for key, operator in parts[kind]:
            value = spec.get(key)
            if value is None:
                continue
            if json1 and operator == "=" and isinstance(value, str) and JSON_NUMBER.match(value):
                terms.append("%s IN (?, ?)" % column)  # a text key finds the text and the equal number
                self.arguments += [value, load(value)]
            else:
                terms.append("%s %s ?" % (column, operator))
                # SQLite's LIKE would end the pattern at U+0000.
                ends_early = operator == "LIKE" and "\0" in str(value)
                self.arguments.append(None if ends_early else as_key(value, kind_of_index))
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
        sql = "SELECT count(*) FROM (%s\n)" % self.sql if self.soup is None else "SELECT count(*)" + self.from_where
        return self.run(sql)[1][0][0]

    def identities(self):
        if self.soup is None:
            return [row[0] for row in self.run("SELECT id FROM (%s\n)" % self.sql)[1]]
        return [row[0] for row in self.run("SELECT id" + self.from_where)[1]]

    def page(self, index):
        if self.soup is None:
            names, rows = self.run("SELECT * FROM (%s\n) LIMIT ? OFFSET ?" % self.sql, self.page_size, index * self.page_size)
            parsed = [name == "soup" or name.startswith("soup:") for name in names]
            return [[entry_or_text(value) if parsed[column] else value for column, value in enumerate(row)] for row in rows]
        rows = self.run(self.sql + " LIMIT ? OFFSET ?", self.page_size, index * self.page_size)[1]
        if self.paths is None:
            return [load(row[0]) for row in rows]
        return [[load(value) if path == "_soup" else value for path, value in zip(self.paths, row)] for row in rows]


def entry_or_text(value):
    """The value of a column that is named like one of entries: what is not the text of an entry stays as it is."""
    if not isinstance(value, str):
        return value
    try:
        return load(value)
    except Fault:
        return value


def as_key(value, kind):
    """A key in the type of its index: numbers and booleans are texts where texts are indexed, and numbers are doubles where doubles are."""
    found = bindable(value)
    if kind in ("string", "full_text"):
        return found if isinstance(value, str) else dump(value)
    if kind == "floating" and (not isinstance(value, str) or NUMBER.match(value)):
        return float(found)
    return found


def bindable(value):
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (dict, list)):
        raise Fault("invalidQuerySpec", "a key is a text or a number")
    return float(value) if isinstance(value, float) else value


class Cursor:
    """A query spec with a page to show. Each page resolves the spec again, since the soup may have been altered or removed."""

    def __init__(self, store, *spec):
        self.store, self.spec, self.index = store, spec, 0
        query = Query(store, *spec)
        self.total = query.count()
        self.pages = -(-self.total // query.page_size)
        self.identity = len(store.cursors) + 1
        store.cursors[self.identity] = self

    def show(self):
        query = Query(self.store, *self.spec)
        return {
            "cursorId": self.identity, "currentPageIndex": self.index, "pageSize": query.page_size, "totalEntries": self.total,
            "totalPages": self.pages, "currentPageOrderedEntries": query.page(self.index),
        }


def published(spec, soup_name):
    """The Smart SQL text of a query spec."""
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
