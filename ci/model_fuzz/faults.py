"""Planted faults: a driver that corrupts answers, changes calls, or changes the file under the server."""

import copy
import os
import sqlite3

from .driver import Driver


class FaultyDriver(Driver):
    """Leaves the first calls alone, then does its fault wherever it can."""

    START = 60

    def __init__(self, program, backend, fault):
        self.fault = fault
        self.calls = self.done = 0
        self.in_transaction = False
        super().__init__(program, backend)

    def send(self, call, args):
        self.calls += 1
        active = self.calls > self.START
        if active and self.fault in CALLS:
            changed = CALLS[self.fault](call, args)
            self.done += changed != (call, args)
            call, args = changed
        answer = super().send(call, args)
        if call in ("beginTransaction", "commit", "rollback", "@restart", "@kill"):
            self.in_transaction = (
                call == "beginTransaction" and "returns" in answer or (self.in_transaction and "fails" in answer)
            )
        if active and self.fault in ANSWERS and "returns" in answer:
            before = copy.deepcopy(answer)
            answer = {"returns": ANSWERS[self.fault](call, args, answer["returns"])}
            self.done += answer["returns"] != before["returns"]
        if active and self.fault in FILES and self.calls % 20 == 0 and not self.in_transaction:
            self.done += bool(FILES[self.fault](self.database()))
        return answer


# MARK: answers


def drop_entry(call, args, value):
    return value[:-1] if call == "retrieveSoupEntries" and value else value


def wrong_order(call, args, value):
    if call == "querySoup" and len(value["currentPageOrderedEntries"]) > 1:
        value["currentPageOrderedEntries"].reverse()
    return value


def count_off_by_one(call, args, value):
    return value + 1 if call == "countQuery" and value else value


def page_off_by_one(call, args, value):
    if call == "moveCursorToNextPage":
        value["currentPageIndex"] -= 1
    return value


def rounded_integer(call, args, value):
    if isinstance(value, list):
        return [rounded_integer(call, args, element) for element in value]
    if isinstance(value, dict):
        return {name: rounded_integer(call, args, member) for name, member in value.items()}
    return int(float(value)) if type(value) is int and abs(value) > 1 << 53 else value


def null_as_absent(call, args, value):
    if call == "retrieveSoupEntries":
        return [{name: member for name, member in entry.items() if member is not None} for entry in value]
    return value


ANSWERS = {
    "drop-entry": drop_entry,
    "wrong-order": wrong_order,
    "count-off-by-one": count_off_by_one,
    "page-off-by-one": page_off_by_one,
    "rounded-integer": rounded_integer,
    "null-as-absent": null_as_absent,
}


# MARK: calls


def rollback_kept(call, args):
    return ("commit", args) if call == "rollback" else (call, args)


def commit_lost(call, args):
    return ("rollback", args) if call == "commit" else (call, args)


def half_batch(call, args):
    """A batch that fails keeps what came before the mistake."""
    entries = args.get("entries")
    if call == "upsertSoupEntries" and entries and any(not isinstance(entry, dict) for entry in entries):
        return call, {**args, "entries": [entry for entry in entries if isinstance(entry, dict)]}
    return call, args


def no_re_index(call, args):
    return (call, {**args, "reIndexData": False}) if call == "alterSoup" and args.get("reIndexData") else (call, args)


CALLS = {
    "rollback-kept": rollback_kept,
    "commit-lost": commit_lost,
    "half-batch": half_batch,
    "no-re-index": no_re_index,
}


# MARK: the file


def change(path, work):
    connection = sqlite3.connect(path, timeout=5)
    try:
        with connection:
            return work(connection)
    finally:
        connection.close()


def tables(connection, pattern):
    return [
        name
        for name, in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB ?", (pattern,)
        )
    ]


def stale_full_text(path):
    def work(connection):
        for table in tables(connection, "TABLE_*_fts"):
            column = connection.execute("SELECT name FROM pragma_table_info(?)", (table,)).fetchone()[0]
            row = connection.execute("SELECT rowid FROM %s WHERE %s IS NOT NULL" % (table, column)).fetchone()
            if row:
                return connection.execute("UPDATE %s SET %s = 'stale' WHERE rowid = ?" % (table, column), row).rowcount

    return change(path, work)


def lost_sequence(path):
    return change(
        path,
        lambda connection: connection.execute(
            "UPDATE sqlite_sequence SET seq = seq - 1 WHERE name GLOB 'TABLE_*' AND seq > 1"
        ).rowcount,
    )


def left_over_table(path):
    return change(
        path, lambda connection: connection.execute("CREATE TABLE IF NOT EXISTS TABLE_99_old (id INTEGER)") and 1
    )


def lost_index(path):
    def work(connection):
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND name GLOB 'TABLE_*_0_idx'"
        ).fetchall():
            connection.execute("DROP INDEX " + name)
            return 1

    return change(path, work)


def wrong_column(path):
    def work(connection):
        for table in tables(connection, "TABLE_*"):
            names = [
                name
                for name, in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
                if name.startswith("TABLE_")
            ]
            if "_fts" not in table and names:
                changed = connection.execute(
                    "UPDATE %s SET %s = 'wrong' WHERE id = (SELECT max(id) FROM %s)" % (table, names[-1], table)
                ).rowcount
                if changed:
                    return changed

    return change(path, work)


def left_over_file(path):
    return external_file(path, lambda folder, name: open(os.path.join(folder, "soupelt_777_1"), "w").close())


def missing_file(path):
    return external_file(path, lambda folder, name: os.remove(os.path.join(folder, name)))


def external_file(path, work):
    for folder, _, names in os.walk(os.path.dirname(path)):
        elements = [name for name in names if name.startswith("soupelt_")]
        if elements:
            work(folder, elements[0])
            return 1
    return 0


FILES = {
    "stale-full-text": stale_full_text,
    "lost-sequence": lost_sequence,
    "left-over-table": left_over_table,
    "lost-index": lost_index,
    "wrong-column": wrong_column,
    "left-over-file": left_over_file,
    "missing-file": missing_file,
}
NAMES = sorted(ANSWERS) + sorted(CALLS) + sorted(FILES)
