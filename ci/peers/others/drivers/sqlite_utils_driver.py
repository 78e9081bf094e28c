"""A driver of the conformance vectors for sqlite-utils: a soup is a table with the entry as JSON, and a column with an index for each path.

The library makes the tables, columns and indexes, converts values, and writes, finds, counts, orders and pages the rows. The driver takes the value at a
path of plain members out of the entry, and writes conditions and orders, which the library takes as SQL.
"""
import json
import sqlite3

import sqlite_utils
from sqlite_utils.db import NotFoundError, quote_identifier

from wire import Fault, serve

TYPES = {"string": str, "integer": int, "floating": float}
WRITING = {"registerSoup", "clearSoup", "removeSoup", "upsertSoupEntries", "removeFromSoup"}


class State:
    """What a case begins with: an empty database, the first instant, no cursors."""

    def __init__(self):
        self.db, self.now, self.cursors = sqlite_utils.Database(memory=True), 1_600_000_000_000, 0
        self.db["soups"].create({"number": int, "name": str, "specs": str, "last": int}, pk="number")


def reset():
    global state
    state.db.close()
    state = State()


def after(call):
    state.now += call in WRITING


state = State()


def row_of(args):
    found = list(state.db["soups"].rows_where("name = ?", [args.get("soupName")]))
    if not found:
        raise Fault("soupNotFound", "no table %s" % args.get("soupName"))
    return found[0]


def table(args):
    return state.db["soup_%d" % row_of(args)["number"]]


def register(args):
    name, specs = args.get("soupName", (args.get("soupSpec") or {}).get("name")), args.get("indexSpecs")
    if not isinstance(name, str) or not name:
        raise Fault("invalidSoupName", "a table needs a name")
    if not specs:
        raise Fault("noIndexSpecs", "a soup needs an index spec")
    if state.db["soups"].count_where("name = ?", [name]):
        return name
    try:
        columns = {spec["path"]: TYPES[spec["type"]] for spec in specs}
        with state.db.atomic():
            number = state.db["soups"].insert({"name": name, "specs": specs, "last": 0}).last_pk
            soup = state.db["soup_%d" % number]
            soup.create({"_soupEntryId": int, "_soup": str, "_soupLastModifiedDate": int, **columns}, pk="_soupEntryId")
            for path in columns:
                soup.create_index([path])
    except (AttributeError, KeyError, TypeError, sqlite3.OperationalError) as error:
        raise Fault("invalidIndexSpec", repr(error))
    return name


def remove_soup(args):
    if state.db["soups"].count_where("name = ?", [args["soupName"]]):
        number = row_of(args)["number"]
        state.db["soup_%d" % number].drop()
        state.db["soups"].delete(number)
    return "OK"


def clear_soup(args):
    table(args).delete_where()
    return "OK"


def value(entry, path):
    for name in path.split("."):
        entry = entry.get(name) if isinstance(entry, dict) else None
    return entry


def column(soup, path):
    if path not in soup.columns_dict:
        raise Fault("pathNotIndexed", "no column %s" % path)
    return quote_identifier(path)


def entry_id(soup, entry, external):
    """The id of the row that an entry replaces; none if it is a new one."""
    if external in (None, "_soupEntryId"):
        try:
            return soup.get(entry["_soupEntryId"])["_soupEntryId"]
        except (KeyError, NotFoundError, sqlite3.Error):
            return None
    where = column(soup, external) + " = ?"
    if value(entry, external) is None:
        raise Fault("externalIdMissing", "no value at %s" % external)
    found = list(soup.rows_where(where, [value(entry, external)]))
    if len(found) > 1:
        raise Fault("externalIdNotUnique", "more than one row")
    return found[0]["_soupEntryId"] if found else None


def upsert(args):
    row, soup, stored = row_of(args), table(args), []
    try:
        entries = json.loads(args["text"]) if "text" in args else args["entries"]
    except (ValueError, RecursionError) as error:
        raise Fault("invalidEntry", str(error))
    if not isinstance(entries, list):
        raise Fault("invalidEntry", "no rows")
    paths = [spec["path"] for spec in json.loads(row["specs"])]
    with state.db.atomic():
        last = row["last"]
        for entry in entries:
            if not isinstance(entry, dict):
                raise Fault("invalidEntry", "a row is a dictionary")
            identity = entry_id(soup, entry, args.get("externalIdPath"))
            if identity is None:
                identity = last = last + 1
            entry = {**entry, "_soupEntryId": identity, "_soupLastModifiedDate": state.now}
            cells = {path: value(entry, path) for path in paths}
            soup.upsert({**cells, "_soupEntryId": identity, "_soup": entry, "_soupLastModifiedDate": state.now})
            stored.append(entry)
        state.db["soups"].update(row["number"], {"last": last})
    return stored


def retrieve(args):
    soup, found = table(args), []
    for identity in dict.fromkeys(args["entryIds"]):
        found += [json.loads(row["_soup"]) for row in soup.rows_where("_soupEntryId = ?", [identity])]
    return found


def condition(soup, spec):
    """The condition of a query spec in SQL, and its arguments."""
    kind, keys, terms = spec["queryType"], [], []
    if kind != "all" and spec.get("indexPath") is None:
        raise Fault("invalidQuerySpec", "indexPath is missing")
    signs = {"all": {}, "exact": {"matchKey": "="}, "like": {"likeKey": "like"}, "range": {"beginKey": ">=", "endKey": "<="}}
    for key, sign in signs[kind].items():
        if spec.get(key) is not None:
            terms.append("%s %s ?" % (column(soup, spec["indexPath"]), sign))
            keys.append(spec[key])
        elif key in ("matchKey", "likeKey"):
            raise Fault("invalidQuerySpec", "%s is missing" % key)
    return " and ".join(terms) or None, keys


def remove(args):
    soup = table(args)
    if "entryIds" in args:
        for identity in args["entryIds"]:
            soup.delete_where("_soupEntryId = ?", [identity])
    else:
        soup.delete_where(*condition(soup, args["querySpec"]))
    return "OK"


def order_of(soup, spec):
    path = spec.get("orderPath") or (spec.get("indexPath") if spec.get("order") else None) or "_soupEntryId"
    direction = {None: "", "ascending": "", "descending": " desc"}[spec.get("order")]
    return "%s%s, _soupEntryId%s" % (column(soup, path), direction, direction)


def query(args):
    """The rows of the first page, and how many there are in all."""
    soup, spec = table(args), args["querySpec"]
    try:
        where, keys = condition(soup, spec)
        size = 10 if spec.get("pageSize") is None else spec["pageSize"]
        if size < 1:
            raise Fault("invalidPageSize", "a page has at least one entry")
        return list(soup.rows_where(where, keys, order_by=order_of(soup, spec), limit=size)), soup.count_where(where, keys), size
    except (KeyError, TypeError, AttributeError, sqlite3.ProgrammingError, sqlite3.OperationalError) as error:
        raise Fault("invalidQuerySpec", repr(error))


def query_soup(args):
    rows, total, size = query(args)
    paths = args["querySpec"].get("selectPaths")
    state.cursors += 1
    if paths is None:
        page = [json.loads(row["_soup"]) for row in rows]
    else:
        for path in paths:
            column(table(args), path)
        page = [[json.loads(row[path]) if path == "_soup" else row[path] for path in paths] for row in rows]
    return {"cursorId": state.cursors, "currentPageIndex": 0, "pageSize": size, "totalEntries": total,
            "totalPages": -(-total // size), "currentPageOrderedEntries": page}


serve("sqlite-utils", ["cursors"], {
    "registerSoup": register, "clearSoup": clear_soup, "removeSoup": remove_soup,
    "getSoupIndexSpecs": lambda args: json.loads(row_of(args)["specs"]),
    "soupExists": lambda args: state.db["soups"].count_where("name = ?", [args["soupName"]]) > 0,
    "getAllSoupNames": lambda args: [row["name"] for row in state.db["soups"].rows],
    "upsertSoupEntries": upsert, "retrieveSoupEntries": retrieve, "removeFromSoup": remove,
    "querySoup": query_soup, "countQuery": lambda args: query(args)[1],
}, reset=reset, after=after)
