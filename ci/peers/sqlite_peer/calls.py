"""The calls of the contract, by name."""
from .faults import Fault
from .queries import Cursor, Query, published, translate
from .soups import Store, checked_specs
from .values import DEPTH, bad_element, depth_of, load, whole

CALLS = {}
DEFAULT = "defaultStore"


class Clock:
    def __init__(self):
        self.now = 1_600_000_000_000


class Peer:
    def __init__(self):
        self.clock, self.stores = Clock(), {}

    def key(self, args):
        name = args.get("storeName")
        key = (bool(args.get("isGlobalStore")), DEFAULT if name is None else name)
        if key[1] in ("", ".", "..") or "/" in key[1] or "\0" in key[1]:
            raise Fault("invalidStoreName", "no name for a store")
        return key

    def store(self, args):
        key = self.key(args)
        if key not in self.stores:
            self.stores[key] = Store(self.clock)
        return self.stores[key]


def call(function=None, *, writes=False):
    def register(function):
        def run(peer, args):
            try:
                if not isinstance(args.get("storeName") or "", str) or not isinstance(args.get("isGlobalStore") or False, bool):
                    raise Fault("invalidArguments", "storeName is a text, isGlobalStore true or false")
                return function(peer, args)
            finally:
                peer.clock.now += writes
        CALLS[function.__name__] = run
        return run
    return register(function) if function else register


@call
def hello(peer, args):
    wanted = args.get("format")
    if wanted is not None and not isinstance(wanted, int):
        raise Fault("invalidArguments", "the format is a number")
    if wanted not in (None, 1):
        raise Fault("unsupported", "there is only format 1")
    return {"name": "sqlite-peer", "version": "1", "format": 1, "capabilities": ["fts5", "json1", "globalStores"]}


@call
def reset(peer, args):
    peer.__init__()
    return True


@call(writes=True)
def registerSoup(peer, args):
    spec = args.get("soupSpec") or {"name": args.get("soupName")}
    return peer.store(args).register(spec.get("name"), args.get("indexSpecs"), spec.get("features"))


@call
def soupExists(peer, args):
    return args["soupName"] in peer.store(args).soups


@call
def getSoupIndexSpecs(peer, args):
    return peer.store(args).soup(args["soupName"]).specs


@call
def getSoupSpec(peer, args):
    return {"name": peer.store(args).soup(args["soupName"]).name, "features": []}


@call
def getAllSoupNames(peer, args):
    return list(peer.store(args).soups)


@call(writes=True)
def alterSoup(peer, args):
    features = (args.get("soupSpec") or {}).get("features")
    return peer.store(args).alter(args["soupName"], args.get("indexSpecs"), args.get("reIndexData", False), features)


@call(writes=True)
def reIndexSoup(peer, args):
    return peer.store(args).re_index(args["soupName"], args["paths"])


@call(writes=True)
def clearSoup(peer, args):
    store = peer.store(args)
    soup = store.soup(args["soupName"])
    return store.remove(soup, [row[0] for row in store.rows(soup)])


@call(writes=True)
def removeSoup(peer, args):
    return peer.store(args).drop(args["soupName"])


@call(writes=True)
def upsertSoupEntries(peer, args):
    entries = args.get("entries")
    if "text" in args and "entries" in args:
        raise Fault("invalidArguments", "either entries or text")
    if "text" in args:
        if depth_of(args["text"]) > DEPTH + 1:
            raise Fault("invalidEntry", "too deep")
        entries = load(args["text"])
    if not isinstance(entries, list):
        raise Fault("invalidEntry", "entries are an array")
    if "text" in args and any(not isinstance(entry, dict) for entry in entries):
        raise Fault("invalidEntry", "an entry is an object", bad_element(args["text"]))
    return peer.store(args).upsert(args["soupName"], entries, args.get("externalIdPath"))


def entry_ids(args):
    if not isinstance(args.get("entryIds"), list):
        raise Fault("invalidArguments", "entryIds must be an array")
    return [whole(identity, "an entry id") for identity in args["entryIds"]]


@call
def retrieveSoupEntries(peer, args):
    store = peer.store(args)
    soup = store.soup(args["soupName"])
    entries = []
    for identity in dict.fromkeys(entry_ids(args)):
        row = store.db.execute("SELECT soup FROM %s WHERE id = ?" % soup.table, [identity]).fetchone()
        entries += [load(row[0])] if row else []
    return entries


@call(writes=True)
def removeFromSoup(peer, args):
    store = peer.store(args)
    soup = store.soup(args["soupName"])
    if args.get("querySpec") is None:
        return store.remove(soup, entry_ids(args))
    spec = args["querySpec"]
    return store.remove(soup, Query(store, spec, None if spec.get("queryType") == "smart" else soup.name).identities())


@call
def querySoup(peer, args):
    store = peer.store(args)
    return Cursor(store, args["querySpec"], args["soupName"]).show()


@call
def runSmartQuery(peer, args):
    store = peer.store(args)
    return Cursor(store, args["querySpec"], None, args.get("arguments") or ()).show()


def cursor_of(peer, args):
    cursors = peer.store(args).cursors
    if cursors.get(args.get("cursorId")) is None:
        raise Fault("invalidCursor", "no such cursor")
    return cursors[args["cursorId"]]


@call
def moveCursorToPageIndex(peer, args):
    cursor = cursor_of(peer, args)
    cursor.index = max(0, min(whole(args.get("index"), "index"), cursor.pages - 1))
    return cursor.show()


@call
def moveCursorToNextPage(peer, args):
    cursor = cursor_of(peer, args)
    if cursor.index + 1 >= cursor.pages:
        raise Fault("lastPage", "moveCursorToNextPage called while on last page")
    cursor.index += 1
    return cursor.show()


@call
def moveCursorToPreviousPage(peer, args):
    cursor = cursor_of(peer, args)
    if cursor.index == 0:
        raise Fault("firstPage", "moveCursorToPreviousPage called while on first page")
    cursor.index -= 1
    return cursor.show()


@call
def closeCursor(peer, args):
    cursor_of(peer, args)
    peer.store(args).cursors[args["cursorId"]] = None
    return "OK"


@call
def countQuery(peer, args):
    if args.get("arguments") is not None and args["querySpec"].get("queryType") != "smart":
        raise Fault("invalidQuerySpec", "only smart queries have arguments")
    return Query(peer.store(args), args["querySpec"], args.get("soupName"), args.get("arguments") or ()).count()


@call
def translateSmartSQL(peer, args):
    return translate(peer.store(args), args["smartSql"])


@call
def describeQuerySpec(peer, args):
    return published(args["querySpec"], args.get("soupName"))


@call
def getDatabaseSize(peer, args):
    db = peer.store(args).db
    return db.execute("PRAGMA page_count").fetchone()[0] * db.execute("PRAGMA page_size").fetchone()[0]


@call
def reopenStore(peer, args):
    """There is no file to open: what is new are the options, and cursors are closed."""
    if args.get("key"):
        raise Fault("unsupported", "nothing is encrypted here")
    key = (bool(args.get("isGlobalStore")), args.get("storeName") or DEFAULT)
    if args.get("storeName") is not None and key not in peer.stores:
        raise Fault("storeNotFound", "no store %s" % args["storeName"])
    options = args.get("options") or {}
    if not isinstance(options, dict) or not isinstance(options.get("permissivePaths", False), bool):
        raise Fault("invalidArguments", "options have other types")
    if options.get("fullTextVersion") not in (None, 5, "fts5"):
        raise Fault("unsupported", "there is only FTS5")
    store = peer.store(args)
    store.options["permissivePaths"] = options.get("permissivePaths", False)
    store.cursors = dict.fromkeys(store.cursors)
    return True


def listed(peer, is_global):
    return [{"storeName": name, "isGlobalStore": is_global} for kind, name in peer.stores if kind == is_global]


@call
def getAllStores(peer, args):
    return listed(peer, False)


@call
def getAllGlobalStores(peer, args):
    return listed(peer, True)


@call(writes=True)
def removeStore(peer, args):
    peer.store(args)
    del peer.stores[(bool(args.get("isGlobalStore")), args.get("storeName", DEFAULT))]
    return True


def remove_all(peer, is_global):
    peer.stores = {key: store for key, store in peer.stores.items() if key[0] != is_global}
    return True


@call(writes=True)
def removeAllStores(peer, args):
    return remove_all(peer, False)


@call(writes=True)
def removeAllGlobalStores(peer, args):
    return remove_all(peer, True)


@call(writes=True)
def loadStoreConfig(peer, args):
    config = args.get("config")
    if not isinstance(config, dict) or not isinstance(config.get("soups", []), list):
        raise Fault("invalidStoreConfig", "no configuration")
    if not config.get("soups"):
        peer.key(args)
        return []  # makes no store
    store, made = peer.store(args), []
    for soup in config["soups"]:
        try:
            name = soup.get("soupName")
            if name not in store.soups:
                checked_specs(soup.get("indexes"))
                made.append(store.register(name, soup["indexes"]))
        except (Fault, AttributeError, TypeError):
            continue
    return made
