#!/usr/bin/env python3
"""A driver to start from: it passes the ten cases of first-steps.json with a store made of dictionaries.

    soup conform --driver 'python3 Corpora/drivers/skeleton.py' Corpora/first-steps.json

Copy it, and replace the class Soup by your implementation. FORMAT.md says what each call has to do.
"""
import copy
import json
import sys

class Fault(Exception):
    """A refusal: a code of the table in FORMAT.md, and a message for people."""

    def __init__(self, code, message=""):
        super().__init__(message)
        self.code, self.message = code, message

class Soup:
    def __init__(self, specs):
        self.specs, self.entries, self.last_id = specs, {}, 0  # entries by id; an id is never given twice

NOW, SOUPS, CURSORS = 1_600_000_000_000, {}, 0  # what `reset` sets back. TODO: more than one store

def soup_of(args):
    if args["soupName"] not in SOUPS:
        raise Fault("soupNotFound", "no soup %s" % args["soupName"])
    return SOUPS[args["soupName"]]

# Values. TODO: arrays in paths, and what the types other than string and integer hold ("What an index holds").

def value_at(entry, identity, path):
    system = {"_soup": entry, "_soupEntryId": identity, "_soupLastModifiedDate": entry["_soupLastModifiedDate"]}
    if path in system:
        return system[path]
    for name in path.split("."):
        entry = entry.get(name) if isinstance(entry, dict) else None
    return entry

def sort_key(value):
    """Null first, then numbers by value, then text by its bytes."""
    if value is None:
        return (0,)
    return (1, value) if isinstance(value, (int, float)) else (2, str(value).encode("utf-8"))

# Queries. TODO: kinds like and match; keys of another type than the index ("Keys").

def found(args):
    """All entries that a query spec finds, in order, each with its id."""
    soup, spec = soup_of(args), args.get("querySpec") or {}
    kind, path = spec.get("queryType"), spec.get("indexPath")
    needs = {"all": [], "exact": ["indexPath", "matchKey"], "range": ["indexPath"]}
    if kind not in needs or any(spec.get(key) is None for key in needs[kind]):
        raise Fault("invalidQuerySpec", "an unknown kind, or a missing key")
    if spec.get("pageSize", 10) < 1:
        raise Fault("invalidPageSize", "a page has at least one entry")
    order = spec.get("orderPath") or (path if spec.get("order") else None) or "_soupEntryId"
    indexed = [index["path"] for index in soup.specs] + ["_soup", "_soupEntryId", "_soupLastModifiedDate"]
    for used in [order] + ([path] if kind != "all" else []) + (spec.get("selectPaths") or []):
        if used not in indexed:
            raise Fault("pathNotIndexed", "no index on %s" % used)

    def matches(entry, identity):
        key = sort_key(value_at(entry, identity, path)) if kind != "all" else None
        begin, end = spec.get("beginKey"), spec.get("endKey")
        return (kind == "all" or kind == "exact" and key == sort_key(spec["matchKey"])
                or kind == "range" and key != (0,) and (begin is None or key >= sort_key(begin))
                and (end is None or key <= sort_key(end)))

    rows = [(identity, entry) for identity, entry in soup.entries.items() if matches(entry, identity)]
    rows.sort(key=lambda row: (sort_key(value_at(row[1], row[0], order)), row[0]), reverse=spec.get("order") == "descending")
    return rows

# Calls. The name of a function is the name of its call.

def hello(args):
    return {"name": "skeleton", "version": "1", "format": 1, "capabilities": ["cursors"]}

def reset(args):
    global NOW, CURSORS
    NOW, CURSORS = 1_600_000_000_000, 0
    SOUPS.clear()
    return True

def registerSoup(args):
    name, specs = args.get("soupName"), args.get("indexSpecs")
    if not isinstance(name, str) or not name or any(letter in name for letter in "{}:\0"):
        raise Fault("invalidSoupName", "no name for a soup")
    if not specs:
        raise Fault("noIndexSpecs", "a soup needs an index spec")
    if any(not spec.get("path") or spec.get("type") not in ("string", "integer", "floating") for spec in specs):
        raise Fault("invalidIndexSpec", "an index spec has a path and a type")
    SOUPS.setdefault(name, Soup([{"path": spec["path"], "type": spec["type"]} for spec in specs]))
    return name

def upsertSoupEntries(args):
    soup = soup_of(args)
    work, stored = copy.copy(soup.__dict__), []
    work["entries"] = dict(soup.entries)  # a copy, so that a bad entry undoes the whole call
    for entry in args["entries"]:
        if not isinstance(entry, dict):
            raise Fault("invalidEntry", "an entry is an object")
        identity = entry.get("_soupEntryId")
        if identity not in work["entries"]:
            identity = work["last_id"] = work["last_id"] + 1
        work["entries"][identity] = {**entry, "_soupEntryId": identity, "_soupLastModifiedDate": NOW}
        stored.append(work["entries"][identity])
    soup.__dict__.update(work)
    return stored

def removeFromSoup(args):
    soup = soup_of(args)
    for identity in args["entryIds"] if "entryIds" in args else [row[0] for row in found(args)]:
        soup.entries.pop(identity, None)
    return "OK"

def querySoup(args):
    global CURSORS
    rows, spec = found(args), args["querySpec"]
    size, paths = spec.get("pageSize", 10), spec.get("selectPaths")
    CURSORS += 1  # TODO: keep the query, for the calls that move a cursor
    page = [entry if paths is None else [value_at(entry, identity, path) for path in paths] for identity, entry in rows[:size]]
    return {"cursorId": CURSORS, "currentPageIndex": 0, "pageSize": size, "totalEntries": len(rows),
            "totalPages": -(-len(rows) // size), "currentPageOrderedEntries": page}

CALLS = dict(
    hello=hello, reset=reset, registerSoup=registerSoup, upsertSoupEntries=upsertSoupEntries, removeFromSoup=removeFromSoup,
    querySoup=querySoup,
    soupExists=lambda args: args["soupName"] in SOUPS,
    getAllSoupNames=lambda args: list(SOUPS),
    getSoupIndexSpecs=lambda args: soup_of(args).specs,
    retrieveSoupEntries=lambda args: [soup_of(args).entries[i] for i in dict.fromkeys(args["entryIds"]) if i in soup_of(args).entries],
    countQuery=lambda args: len(found(args)))
WRITING = {"registerSoup", "upsertSoupEntries", "removeFromSoup"}  # they move the clock, also when they fail

for line in sys.stdin:
    request = json.loads(line)
    answer = {"id": request["id"]}
    try:
        if request["call"] not in CALLS:
            raise Fault("unsupported", "no call %s" % request["call"])
        answer["returns"] = CALLS[request["call"]](request.get("args", {}))
    except Fault as fault:
        answer["fails"] = {"code": fault.code, "message": fault.message}
    except Exception as error:  # a mistake of the driver must be an answer too, or the runner would wait
        answer["fails"] = {"code": "driverError", "message": repr(error)}
    NOW += request["call"] in WRITING
    print(json.dumps(answer), flush=True)
