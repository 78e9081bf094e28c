"""Random calls that mean something in the state that the model is in."""

from . import specs, values
from .json_text import Num, write
from .model import dump
from .soups import TYPES

NAMES = ["a", "notes", "it's a soup!", "Ä b"]
WEIGHTS = {
    "upsert": 20,
    "external_id": 9,
    "failing_batch": 5,
    "retrieve": 5,
    "remove_ids": 4,
    "remove_query": 3,
    "query": 20,
    "move": 14,
    "close": 1,
    "count": 7,
    "dump": 5,
    "clear": 1.2,
    "remove_soup": 0.8,
    "register": 3,
    "alter": 3.5,
    "re_index": 2,
    "transaction": 6,
    "reopen": 0.5,
    "restart": 0.2,
    "kill": 0.2,
    "ask": 3,
    "mistake": 3,
}


class Generator:
    def __init__(self, rng, model, without=()):
        self.rng, self.model, self.without = rng, model, without
        self.kinds, self.weights = list(WEIGHTS), list(WEIGHTS.values())
        # Soups cleared in the open transaction.
        self.cleared = set()

    def next(self):
        """A call and its arguments."""
        rng, model = self.rng, self.model
        if not model.saved:
            self.cleared.clear()
        if not model.soups or (len(model.soups) < 3 and rng.random() < 0.05):
            return self.register()
        kind = rng.choices(self.kinds, self.weights)[0]
        soup = rng.choice(list(model.soups.values()))
        if len(soup.entries) > 40 and rng.random() < 0.3:
            return "removeFromSoup", {"soupName": soup.name, "entryIds": rng.sample(list(soup.entries), 15)}
        return getattr(self, kind)(
            *([soup] if kind not in ("register", "transaction", "reopen", "restart", "kill", "close") else [])
        )

    # MARK: soups

    def spec_list(self, external):
        paths = self.rng.sample(values.PATHS, self.rng.randrange(1, 7))
        types = [kind for kind in TYPES if not (external and kind == "json1")]
        return [{"path": path, "type": self.rng.choice(types)} for path in paths]

    def register(self):
        name, external = self.rng.choice(NAMES), "external" not in self.without and self.rng.random() < 0.3
        args = {"indexSpecs": self.spec_list(external)}
        if external or self.rng.random() < 0.3:
            args["soupSpec"] = {"name": name, "features": ["externalStorage"] if external else []}
        else:
            args["soupName"] = name
        return "registerSoup", args

    def alter(self, soup):
        rng = self.rng
        external = soup.external
        args = {"soupName": soup.name, "reIndexData": rng.random() < 0.6}
        stays = "external" in self.without or (self.model.saved and "alter-external-in-transaction" in self.without)
        if rng.random() < 0.35 and not stays:
            external = not external
            args["soupSpec"] = {"name": soup.name, "features": ["externalStorage"] if external else []}
        types = [kind for kind in TYPES if not (external and kind == "json1")]
        changed = []
        for path, kind in soup.specs:
            if rng.random() < 0.8:
                changed.append(
                    {"path": path, "type": kind if kind in types and rng.random() < 0.7 else rng.choice(types)}
                )
        known = [path for path, _ in soup.specs]
        fresh = [path for path in values.PATHS if path not in known]
        for path in rng.sample(fresh, min(len(fresh), rng.choice([0, 0, 1, 2]) or (0 if changed else 1))):
            changed.append({"path": path, "type": rng.choice(types)})
        if rng.random() < 0.4:
            rng.shuffle(changed)
        args["indexSpecs"] = changed
        return "alterSoup", args

    def re_index(self, soup):
        paths = [path for path, _ in soup.specs] + ["none"]
        return "reIndexSoup", {
            "soupName": soup.name,
            "paths": self.rng.sample(paths, self.rng.randrange(1, len(paths) + 1)),
        }

    def clear(self, soup):
        if self.model.saved:
            self.cleared.add(soup.name)
        return "clearSoup", {"soupName": soup.name}

    def remove_soup(self, soup):
        return "removeSoup", {"soupName": soup.name}

    # MARK: entries

    def entries(self, soup, count):
        made = []
        for _ in range(count):
            entry = values.entry(self.rng, [path for path, _ in soup.specs] + ["k"])
            if soup.entries and self.rng.random() < 0.4:
                entry["_soupEntryId"] = Num(str(self.rng.choice(list(soup.entries))))
            elif self.rng.random() < 0.06:
                entry["_soupEntryId"] = self.rng.choice([None, Num(str(soup.last_id + 5)), Num("-1")])
            if self.rng.random() < 0.05:
                entry["_soupLastModifiedDate"] = Num("5")
            made.append(entry)
        return made

    def batch(self, soup, entries, **more):
        if "clear-in-transaction" in self.without and soup.external and soup.name in self.cleared:
            return self.query(soup)
        args = {"soupName": soup.name, **more}
        if self.rng.random() < 0.4:
            args["text"] = values.escaped(self.rng, entries)
        else:
            args["entries"] = entries
        return "upsertSoupEntries", args

    def upsert(self, soup):
        return self.batch(soup, self.entries(soup, self.rng.choice([1, 1, 1, 2, 3, 5])))

    def external_id(self, soup):
        path, kind = self.rng.choice(soup.specs)
        entries = self.entries(soup, self.rng.choice([1, 1, 2, 3]))
        through = path in ("tags.name", "list.x.y", "deep.a.b")
        if kind == "json1" and through and "array-external-id" in self.without:
            return self.query(soup)
        return self.batch(soup, entries, externalIdPath=path)

    def failing_batch(self, soup):
        """A mistake after some good entries: nothing of the batch stays."""
        rng = self.rng
        entries = self.entries(soup, rng.choice([1, 2, 3]))
        if rng.random() < 0.3:
            path, kind = rng.choice(soup.specs)
            if "." not in path and kind != "json1":
                entries = [entry for entry in entries if isinstance(entry.get(path), str)][:2] + [{"other": Num("1")}]
                return self.batch(soup, entries, externalIdPath=path)
        mistake = rng.random()
        if mistake < 0.15:
            # A name twice, a text that ends early, or U+0000 in an indexed value.
            text = values.escaped(rng, entries)
            name = soup.specs[0][0] if "." not in soup.specs[0][0] else "k"
            more = rng.choice([', {"k":1,"k":2}]', ', {"k":1}', ", {%s:%s}]" % (write(name), r'"a\u0000b"')])
            return "upsertSoupEntries", {"soupName": soup.name, "text": text[:-1] + more}
        entries.append(rng.choice([Num("7"), None, "text", []]))
        return self.batch(soup, entries + self.entries(soup, rng.randrange(2)))

    def some_ids(self, soup):
        ids = list(soup.entries) + [soup.last_id + 1, 0]
        return [self.rng.choice(ids) for _ in range(self.rng.choice([0, 1, 2, 4, 9]))]

    def retrieve(self, soup):
        return "retrieveSoupEntries", {"soupName": soup.name, "entryIds": self.some_ids(soup)}

    def remove_ids(self, soup):
        return "removeFromSoup", {"soupName": soup.name, "entryIds": self.some_ids(soup)[:3]}

    def remove_query(self, soup):
        return "removeFromSoup", {"soupName": soup.name, "querySpec": specs.query_spec(self.rng, soup)}

    # MARK: asking

    def query(self, soup):
        return "querySoup", {"soupName": soup.name, "querySpec": specs.query_spec(self.rng, soup)}

    def count(self, soup):
        return "countQuery", {"soupName": soup.name, "querySpec": specs.query_spec(self.rng, soup)}

    def dump(self, soup):
        return "runSmartQuery", {"querySpec": {"queryType": "smart", "smartSql": dump(soup), "pageSize": 1000}}

    def move(self, soup):
        known = [identity for identity, cursor in self.model.cursors.items() if cursor and cursor.pages > 1]
        if not known:
            return self.query(soup)
        identity = self.rng.choice(known[-6:])
        call = self.rng.choice(
            ["moveCursorToNextPage", "moveCursorToNextPage", "moveCursorToPreviousPage", "moveCursorToPageIndex"]
        )
        args = {"cursorId": identity}
        if call == "moveCursorToPageIndex":
            args["index"] = self.rng.randrange(-1, self.model.cursors[identity].pages + 2)
        return call, args

    def close(self):
        known = [identity for identity, cursor in self.model.cursors.items() if cursor]
        return "closeCursor", {"cursorId": self.rng.choice(known) if known else 999999}

    def ask(self, soup):
        call = self.rng.choice(["soupExists", "getSoupIndexSpecs", "getSoupSpec", "getAllSoupNames"])
        return call, {} if call == "getAllSoupNames" else {"soupName": soup.name}

    # MARK: transactions and the life of the store

    def transaction(self):
        if self.model.saved:
            return self.rng.choice(["commit", "commit", "rollback"]), {}
        return "beginTransaction", {}

    def reopen(self):
        return "reopenStore", {}

    def restart(self):
        return "@restart", {}

    def kill(self):
        return "@kill", {}

    def mistake(self, soup):
        """Calls that must fail, and change nothing."""
        spec = specs.query_spec(self.rng, soup)
        return self.rng.choice(
            [
                ("querySoup", {"soupName": "none", "querySpec": {"queryType": "all"}}),
                ("upsertSoupEntries", {"soupName": "none", "entries": [{"k": "x"}]}),
                (
                    "alterSoup",
                    {"soupName": "none", "indexSpecs": [{"path": "k", "type": "string"}], "reIndexData": True},
                ),
                ("alterSoup", {"soupName": soup.name, "indexSpecs": [], "reIndexData": True}),
                (
                    "alterSoup",
                    {
                        "soupName": soup.name,
                        "indexSpecs": [{"path": "k", "type": "string"}, {"path": "k", "type": "integer"}],
                        "reIndexData": True,
                    },
                ),
                (
                    "alterSoup",
                    {
                        "soupName": soup.name,
                        "soupSpec": {"name": soup.name, "features": ["externalStorage"]},
                        "indexSpecs": [{"path": "k", "type": "json1"}],
                        "reIndexData": True,
                    },
                ),
                ("registerSoup", {"soupName": "", "indexSpecs": [{"path": "k", "type": "string"}]}),
                ("registerSoup", {"soupName": "fresh", "indexSpecs": []}),
                ("registerSoup", {"soupName": "fresh", "indexSpecs": [{"path": "k", "type": "no-such-type"}]}),
                ("clearSoup", {"soupName": "none"}),
                ("getSoupSpec", {"soupName": "none"}),
                ("removeSoup", {"soupName": "none"}),
                ("querySoup", {"soupName": soup.name, "querySpec": {**spec, "selectPaths": ["none"]}}),
                ("querySoup", {"soupName": soup.name, "querySpec": {**spec, "pageSize": 0}}),
                (
                    "querySoup",
                    {"soupName": soup.name, "querySpec": {"queryType": "exact", "indexPath": soup.specs[0][0]}},
                ),
                ("upsertSoupEntries", {"soupName": soup.name, "entries": [{"k": "x"}], "externalIdPath": "none"}),
                ("moveCursorToNextPage", {"cursorId": 999999}),
                ("beginTransaction", {}) if self.model.saved else ("commit", {}),
                ("reopenStore", {}) if self.model.saved else ("rollback", {}),
            ]
        )


def as_text(call, args):
    return write({"call": call, "args": args})
