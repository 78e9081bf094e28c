"""The model: what a store answers, written from the requirement notes smartstore.md and vectors.md.

It shares no code with the package. What the notes leave open is not asserted: `Open`, `Avoid` and `ANY`, each with its
reason.
"""

from . import cursors, upserts
from .expectation import ANY, Anything, Avoid, Expectation, Failure, Fault, Open
from .projection import type_name
from .queries import Query
from .soups import Soup, check_external, read_features, read_specs

CLOCK_START = 1_600_000_000_000
WRITES = {"registerSoup", "alterSoup", "reIndexSoup", "clearSoup", "removeSoup", "upsertSoupEntries", "removeFromSoup"}


class Model:
    def __init__(self):
        self.soups = {}
        self.cursors = {}
        self.clock = CLOCK_START
        self.last_soup = 0
        self.last_cursor = 0
        self.changes = 0
        self.saved = None

    # MARK: state

    def soup(self, name):
        if name not in self.soups:
            raise Fault("soupNotFound")
        return self.soups[name]

    def replace(self, soup):
        self.changes += 1
        soup.version = self.changes
        self.soups[soup.name] = soup

    def next_cursor_id(self):
        if self.last_cursor is None:
            return None
        self.last_cursor += 1
        return self.last_cursor

    def committed(self):
        """The soups as the file has them."""
        return self.saved[0] if self.saved else self.soups

    # MARK: calls

    def expect(self, call, args):
        """Says what the answer is and goes on to the state after it. Raises Avoid where the call should not be made."""
        handler = getattr(self, "call_" + call.replace("@", "at_"))
        try:
            expectation = handler(args)
        except Fault as fault:
            expectation = Failure(fault.code)
        except Open:
            if call in WRITES:
                raise Avoid("what the call changes is open")
            expectation = Anything()
        if call in WRITES:
            self.clock += 1
        return expectation

    def call_reset(self, args):
        self.__init__()
        return Expectation(True)

    def call_registerSoup(self, args):
        given = args.get("soupSpec") or {"name": args.get("soupName")}
        name, features = given.get("name"), given.get("features")
        if not name:
            raise Fault("invalidSoupName")
        external = read_features(features)
        specs = read_specs(args.get("indexSpecs") or [])
        check_external(specs, external)
        if name not in self.soups:
            self.last_soup += 1
            soup = Soup(self.last_soup, name, specs, external)
            soup.shape = self.changes + 1
            self.replace(soup)
        return Expectation(name)

    def call_soupExists(self, args):
        return Expectation(args["soupName"] in self.soups)

    def call_getSoupIndexSpecs(self, args):
        return Expectation([{"path": path, "type": kind} for path, kind in self.soup(args["soupName"]).specs])

    def call_getSoupSpec(self, args):
        soup = self.soup(args["soupName"])
        return Expectation({"name": soup.name, "features": ["externalStorage"] if soup.external else []})

    def call_getAllSoupNames(self, args):
        return Expectation([soup.name for soup in sorted(self.soups.values(), key=lambda soup: soup.number)])

    def call_alterSoup(self, args):
        soup = self.soup(args["soupName"])
        given = args.get("soupSpec")
        # LIF-39: without a soup spec the features stay.
        external = soup.external if given is None else read_features(given.get("features"))
        specs = read_specs(args.get("indexSpecs") or [])
        check_external(specs, external)
        re_index = args.get("reIndexData", False)
        for path, kind in specs:
            if soup.kinds.get(path) == "json1" and kind != "json1" and not re_index:
                raise Avoid("what a column holds that was json1 and is not re-indexed (LIF-36)")
        altered = soup.altered(specs, external, re_index)
        altered.shape = self.changes + 1
        self.replace(altered)
        return Expectation(soup.name)

    def call_reIndexSoup(self, args):
        soup = self.soup(args["soupName"]).copy()
        soup.re_index(args["paths"])
        self.replace(soup)
        return Expectation(soup.name)

    def call_clearSoup(self, args):
        soup = self.soup(args["soupName"]).copy()
        soup.entries = {}
        self.replace(soup)
        return Expectation("OK")

    def call_removeSoup(self, args):
        self.soups.pop(args["soupName"], None)
        return Expectation("OK")

    def call_upsertSoupEntries(self, args):
        return upserts.upsert(self, args)

    def call_retrieveSoupEntries(self, args):
        soup = self.soup(args["soupName"])
        ids = list(dict.fromkeys(identity.value for identity in args["entryIds"]))
        return Expectation([soup.entries[identity].tree for identity in ids if identity in soup.entries])

    def call_removeFromSoup(self, args):
        soup = self.soup(args["soupName"]).copy()
        if args.get("querySpec") is None:
            ids = [identity.value for identity in args["entryIds"]]
        else:
            # Reading 6: all matches, whatever the page size.
            ids = [entry.id for entry in Query(soup, args["querySpec"]).entries()]
        for identity in ids:
            soup.entries.pop(identity, None)
        self.replace(soup)
        return Expectation("OK")

    # MARK: asking

    def call_querySoup(self, args):
        return cursors.open_cursor(self, self.soup(args["soupName"]), args["querySpec"])

    def call_countQuery(self, args):
        return Expectation(len(Query(self.soup(args["soupName"]), args["querySpec"]).entries()))

    def call_runSmartQuery(self, args):
        """Only the text that `dump` writes: every column of a soup with its type, by id."""
        text = args["querySpec"]["smartSql"]
        for soup in self.soups.values():
            if text == dump(soup):
                break
        else:
            return Anything()
        rows = []
        for entry in sorted(soup.entries.values(), key=lambda entry: entry.id):
            row = [entry.id, entry.created, entry.modified]
            for path, _ in soup.specs:
                row += [entry.columns[path], type_name(entry.columns[path])]
            rows.append(row)
        identity = self.next_cursor_id()
        page = dict.fromkeys(PAGE, ANY)
        page.update(
            cursorId=ANY if identity is None else identity, totalEntries=len(rows), currentPageOrderedEntries=rows
        )
        return Expectation(page)

    def call_moveCursorToNextPage(self, args):
        return cursors.move(self, args["cursorId"].value, "next")

    def call_moveCursorToPreviousPage(self, args):
        return cursors.move(self, args["cursorId"].value, "previous")

    def call_moveCursorToPageIndex(self, args):
        return cursors.move(self, args["cursorId"].value, "jump", args["index"].value)

    def call_closeCursor(self, args):
        if args["cursorId"].value not in self.cursors:
            raise Fault("invalidCursor")
        del self.cursors[args["cursorId"].value]
        return Expectation("OK")

    # MARK: transactions and the life of the store

    def call_beginTransaction(self, args):
        if self.saved:
            raise Fault("busy")
        self.saved = (dict(self.soups), self.last_soup)
        return Expectation(True)

    def call_commit(self, args):
        if not self.saved:
            raise Fault("closed")
        self.saved = None
        return Expectation(True)

    def call_rollback(self, args):
        if not self.saved:
            raise Fault("closed")
        # SCH-30: the next id follows from sqlite_sequence, which a rollback takes back too.
        self.soups, self.last_soup = self.saved
        self.saved = None
        return Expectation(True)

    def call_reopenStore(self, args):
        if self.saved:
            raise Fault("busy")
        # The pages of cursors that were opened before are unknown, and so are the ids of later ones.
        self.cursors, self.last_cursor = dict.fromkeys(self.cursors), None
        return Expectation(True)

    def call_at_restart(self, args):
        """Another process: an open transaction is lost, the clock begins again."""
        if self.saved:
            self.soups, self.last_soup = self.saved
            self.saved = None
        self.cursors, self.last_cursor, self.clock = {}, 0, CLOCK_START
        return Expectation(True)

    call_at_kill = call_at_restart


PAGE = ("cursorId", "currentPageIndex", "pageSize", "totalEntries", "totalPages", "currentPageOrderedEntries")


def dump(soup):
    """Smart SQL for every column of a soup with its type."""
    names = ["{%s:%s}" % (soup.name, path) for path, _ in soup.specs]
    columns = ["{%s:%s}" % (soup.name, name) for name in ("_soupEntryId", "_soupCreatedDate", "_soupLastModifiedDate")]
    columns += [part for name in names for part in (name, "typeof(%s)" % name)]
    return "select %s from {%s} order by {%s:_soupEntryId}" % (", ".join(columns), soup.name, soup.name)
