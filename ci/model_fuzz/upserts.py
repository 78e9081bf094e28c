"""Storing entries: smartstore.md 3.2 and 3.3, vectors.md reading 4."""

import json

from .expectation import ANY, Avoid, Expectation, Fault
from .json_text import Num, parse
from .projection import column, extract
from .queries import equals
from .soups import Entry, refuse_nul


def read_entries(args):
    """The entries of a call. A text that is broken, or has a member name twice, is a fault."""
    if args.get("text") is None:
        return args.get("entries")
    try:
        json.loads(args["text"], object_pairs_hook=refuse_twice)
        return parse(args["text"])
    except (json.JSONDecodeError, Twice):
        raise Fault("invalidEntry")


class Twice(Exception):
    """A member name twice in an object."""


def refuse_twice(pairs):
    if len(dict(pairs)) != len(pairs):
        raise Twice
    return dict(pairs)


def upsert(model, args):
    """The call upsertSoupEntries. Works on a copy, so that a fault undoes the whole batch."""
    soup = model.soup(args["soupName"]).copy()
    path = args.get("externalIdPath")
    entries = read_entries(args)
    if not isinstance(entries, list):
        raise Fault("invalidEntry")
    if path == "_soupEntryId":
        path = None
    if path is not None and path not in soup.kinds:
        if not entries:
            raise Avoid("a path without an index and no entries")
        raise Fault("pathNotIndexed")
    stored = [store(soup, entry, path, model.clock) for entry in entries]
    model.replace(soup)

    def learn(value):
        for entry, answered in zip(stored, value):
            entry.modified = entry.tree["_soupLastModifiedDate"] = answered["_soupLastModifiedDate"]

    return Expectation(([dict(entry.tree) for entry in stored], learn))


def store(soup, value, path, now):
    if not isinstance(value, dict):
        raise Fault("invalidEntry")
    refuse_nul(value, soup.specs)
    identity = given_id(soup, value) if path is None else found_id(soup, value, path)
    old = soup.entries.get(identity)
    if old is None:
        # BUG-08: an unknown id is inserted under the next one.
        soup.last_id += 1
        identity = soup.last_id
    tree = dict(value)
    tree["_soupEntryId"] = identity
    # The file of an external entry is named by its date, so two versions cannot share one: whether the date moves on by
    # itself is open.
    is_open = soup.external and old is not None and (old.modified is ANY or old.modified >= now)
    tree["_soupLastModifiedDate"] = ANY if is_open else now
    entry = Entry(identity, tree, old.created if old else now, tree["_soupLastModifiedDate"], soup.columns_of(tree))
    soup.entries[identity] = entry
    return entry


def given_id(soup, value):
    identity = value.get("_soupEntryId")
    if identity is None:
        return None
    if not isinstance(identity, Num) or not isinstance(identity.value, int):
        raise Avoid("an id that is not an integer")
    return identity.value


def found_id(soup, value, path):
    kind = soup.kinds[path]
    wanted = column(value, path, kind)
    if wanted is None:
        raise Fault("externalIdMissing")
    key = extract(value, path.split("."))
    if kind == "json1":
        if isinstance(key, (list, dict)):
            raise Avoid("an object or array as external id of a json1 path")
        # Whether the text of a number is the same external id as the number is open.
        others = [
            entry.columns[path]
            for entry in soup.entries.values()
            if isinstance(entry.columns[path], str) != isinstance(wanted, str)
        ]
        for other in others:
            if other is not None and equals(kind, *((other, wanted) if isinstance(wanted, str) else (wanted, other))):
                raise Avoid("a json1 path with a number and the text of it")
    ids = [
        entry.id for entry in soup.entries.values() if entry.columns[path] is not None and entry.columns[path] == wanted
    ]
    if len(ids) > 1:
        raise Fault("externalIdNotUnique")
    return ids[0] if ids else None
