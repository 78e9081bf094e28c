"""Cursors: smartstore.md 4.5. Totals stay, pages are read when they are asked for.

While rows change, a page may continue from the keys that were shown or from the number of rows before it: both are
right.
"""

from .expectation import ANY, Anything, Expectation, Fault, Open
from .json_text import same
from .queries import Query


class Cursor:
    def __init__(self, soup, spec, total, page_size):
        self.soup_name, self.number, self.shape, self.spec = soup.name, soup.number, soup.shape, spec
        self.version = soup.version
        self.total, self.page_size = total, page_size
        self.pages = -(-total // page_size)
        self.index = 0
        # The sort keys of the current page, one list for each page that it may be; None if it cannot be known.
        self.shown = []
        # A page was shown of rows that were not those at the opening.
        self.drifted = False


def page_at(entries, index, size):
    return entries[index * size : (index + 1) * size]


def answer(cursor, query, entries, identity):
    return {
        "cursorId": identity,
        "currentPageIndex": cursor.index,
        "pageSize": cursor.page_size,
        "totalEntries": cursor.total,
        "totalPages": cursor.pages,
        "currentPageOrderedEntries": [query.row(entry) for entry in entries],
    }


def open_cursor(model, soup, spec):
    query = Query(soup, spec)
    try:
        entries = query.entries()
    except Open:

        def keep_unknown(value):
            if isinstance(value, dict):
                model.cursors[value["cursorId"]] = None

        return Expectation((ANY, keep_unknown))
    cursor = Cursor(soup, spec, len(entries), query.page_size)
    first = page_at(entries, 0, query.page_size)

    def keep(value):
        cursor.shown = [[query.sort_key(entry) for entry in first]]
        model.cursors[value["cursorId"]] = cursor

    # Vectors.md: ids count from 1 in each store. Whether a reopened store begins again is open.
    identity = model.next_cursor_id()
    return Expectation((answer(cursor, query, first, ANY if identity is None else identity), keep))


def move(model, identity, how, index=None):
    if identity not in model.cursors:
        raise Fault("invalidCursor")
    cursor = model.cursors[identity]
    if cursor is None:
        return Anything()
    if how == "next":
        if cursor.index >= cursor.pages - 1:
            raise Fault("lastPage")
        target = cursor.index + 1
    elif how == "previous":
        if cursor.index == 0:
            raise Fault("firstPage")
        target = cursor.index - 1
    else:
        target = min(max(index, 0), max(0, cursor.pages - 1))
    soup = model.soups.get(cursor.soup_name)
    if soup is None or (soup.number, soup.shape) != (cursor.number, cursor.shape):
        model.cursors[identity] = None
        return Anything()
    query = Query(soup, cursor.spec)
    shown, cursor.index, cursor.shown = cursor.shown, target, []
    try:
        entries = query.entries()
    except Open:
        # The page is not decided here, so the pages that continue from it are unknown too, also after a rollback.
        model.cursors[identity] = None
        return Anything()
    candidates = [page_at(entries, target, cursor.page_size)]
    changed = soup.version != cursor.version
    if how == "jump":
        cursor.drifted = changed
    elif changed or cursor.drifted:
        cursor.drifted = True
        if how == "previous" or not shown or not all(shown):
            return weak(cursor, query, entries)
        candidates += [after(query, entries, page[-1])[: cursor.page_size] for page in shown]

    def learn(page):
        def keep(value):
            cursor.shown.append([query.sort_key(entry) for entry in page])

        return keep

    return Expectation(*[(answer(cursor, query, page, identity), learn(page)) for page in candidates])


def after(query, entries, key):
    if query.descending:
        return [entry for entry in entries if query.sort_key(entry) < key]
    return [entry for entry in entries if query.sort_key(entry) > key]


def weak(cursor, query, entries):
    """Rows that match, in their order, at most a page of them."""
    target = cursor.index

    def check(value):
        if (
            not isinstance(value, dict)
            or value.get("totalEntries") != cursor.total
            or value.get("currentPageIndex") != target
        ):
            return "totals as they were, and page %d" % target
        rows, rest = value.get("currentPageOrderedEntries"), [query.row(entry) for entry in entries]
        if len(rows) > cursor.page_size:
            return "at most %d rows" % cursor.page_size
        for row in rows:
            while rest and not same(rest[0], row):
                rest.pop(0)
            if not rest:
                return "rows that match, in their order"
            rest.pop(0)
        return None

    return Expectation(check=check)
