"""A service, a client that is killed, and the one checker of invariants, for ci/sync-cuts."""

import collections
import json
import pathlib
import sqlite3
import subprocess
import tempfile
import urllib.parse
import urllib.request

from mock_process import MockProcess

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
# A release build starts faster.
SOUP = next((path for path in [TOP / ".build" / "release" / "soup"] if path.exists()), TOP / ".build" / "debug" / "soup")
# A killed process loses nothing that it has written, wherever that is: memory is faster than a disk.
MEMORY = pathlib.Path("/dev/shm")
# Failures strike the requests of the store's version; the checks ask under another one.
VERSION, OTHER_VERSION = "v66.0", "v65.0"
TYPES = {"accounts": ("Account", "Name"), "contacts": ("Contact", "LastName")}


def new_folder():
    """A temporary folder for a service and a store."""
    return tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None)


class Service(MockProcess):
    """A mock service of records."""

    def __init__(self, folder, data, rules):
        super().__init__([SOUP, "mock"], folder, data, [rule | {"path": f"/{VERSION}/"} for rule in rules])
        self.port = int(self.root.rsplit(":", 1)[1])

    def requests(self):
        """How many requests failures could strike."""
        return self.logged(f"/{VERSION}/")

    def records(self, soup):
        """The records of a soup's type by their ids, asked for with the service's own queries."""
        kind, field = TYPES[soup]
        found, path = {}, f"/services/data/{OTHER_VERSION}/query?q=" + urllib.parse.quote(f"select Id, {field}, LastModifiedDate from {kind}")
        while path:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}") as response:
                answer = json.load(response)
            found |= {record["Id"]: record for record in answer["records"]}
            path = answer.get("nextRecordsUrl", "").replace(VERSION, OTHER_VERSION)
        return found

    def delete(self, soup, key):
        path = f"/services/data/{OTHER_VERSION}/sobjects/{TYPES[soup][0]}/{key}"
        urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method="DELETE")).close()


class Client:
    """One store, changed and synchronised by `soup sync`."""

    def __init__(self, folder, service):
        self.folder, self.service, self.store = folder, service, folder / "store.db"

    def run(self, *arguments, kill_after=None, check=False):
        """Runs a command. Returns its status, negative if it was killed, and what it printed."""
        command = [SOUP, "sync", *arguments[:1], "--store", self.store, *arguments[1:]]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # A signal that comes late must not kill what only looks at the store.
        self.service.client = process if arguments[0] in ("down", "up") else None
        try:
            out, err = process.communicate(timeout=kill_after)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
        self.service.client = None
        if check and process.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, arguments))}: {err.strip()}")
        return process.returncode, out, err

    def edit(self, soup, changes):
        path = self.folder / "changes.jsonl"
        path.write_text("".join(json.dumps(change) + "\n" for change in changes))
        extra = ["--index", "AccountId"] if soup == "contacts" else []
        self.run("edit", "--soup", soup, *extra, str(path), check=True)

    def reopen(self):
        """Opens the store with a sync manager, as the app does that was killed. Returns what is in doubt."""
        return self.run("resolve", "--soup", "accounts", check=True)[1]

    def content(self):
        return Content(self.store)


class Content:
    """The rows of each soup, read by Python's own library, and what is wrong with the file."""

    def __init__(self, store):
        connection = sqlite3.connect(store)
        tables = dict((name, f"TABLE_{number}") for number, name in connection.execute("SELECT id, soupName FROM soup_attrs"))
        self.rows, self.problems = collections.defaultdict(list), []
        for soup, table in tables.items():
            columns = connection.execute("SELECT path, columnName FROM soup_index_map WHERE soupName = ? AND columnType <> 'json1'", [soup]).fetchall()
            names = "".join(f", {column}" for _, column in columns)
            for number, text, *values in connection.execute(f"SELECT id, soup{names} FROM {table} ORDER BY id"):
                row = json.loads(text)
                for (path, _), value in zip(columns, values):
                    if value != column_value(row.get(path)):
                        self.problems.append(f"{soup} {number}: the index of {path} has {value!r}")
                self.rows[soup].append(row | {"_entry": number})
        self.problems += [text for (text,) in connection.execute("PRAGMA integrity_check") if text != "ok"]
        connection.close()

    @property
    def syncs(self):
        return self.rows["syncs_soup"]


def column_value(value):
    """What the column of an index has for a value of a row."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value) if isinstance(value, (dict, list)) else value


class Changes:
    """What was changed locally: the names of created rows, the new names of updated ones, and the ids of deleted ones, each with its soup."""

    def __init__(self):
        self.created, self.updated, self.deleted = {}, {}, set()


class Invariants:
    """What holds after every cut, and at the end (sync.md, 11.1).

    `versions` says which names a clean row may have: those that the service has given its record. `promises_once` is false where a
    record may come twice.
    """

    def __init__(self, client, soups, changes, versions, sends, promises_once=True):
        self.client, self.soups, self.changes, self.versions, self.sends = client, soups, changes, versions, sends
        self.promises_once = promises_once
        # The ids that the service had before a run down that came to its end.
        self.delivered = {soup: set() for soup in soups}
        self.found = []

    @property
    def service(self):
        return self.client.service

    def ran_down(self, before):
        """Notes that a run down is done: `before` has the ids that the service had before it, by soup."""
        for soup in self.soups:
            self.delivered[soup] |= before[soup]

    def ids(self):
        return {soup: set(self.service.records(soup)) for soup in self.soups}

    def check(self):
        """INV-1 to INV-6 after a run, however it ended. Returns the content of the store."""
        content = self.client.content()
        self.found += [f"INV-6: {text}" for text in content.problems]
        self.found += [f"INV-5: a sync is {row['status']}" for row in content.syncs if row["status"] == "RUNNING"]
        for soup in self.soups:
            self.check_soup(soup, content.rows[soup], self.service.records(soup))
        return content

    def check_soup(self, soup, rows, remote):
        field = TYPES[soup][1]
        local = {row["Id"]: row for row in rows}

        def is_waiting(key):
            return key in local and local[key]["__local__"]

        # INV-1: a change is on the service, or its row is still to be sent.
        for (changed, key), name in self.changes.updated.items():
            arrived = self.sends and remote.get(key, {}).get(field) == name
            if changed == soup and not arrived and not (is_waiting(key) and local[key][field] == name):
                self.found.append(f"INV-1: the change of {soup} {key} is lost")
        for changed, key in self.changes.deleted:
            if changed == soup and not is_waiting(key) and not (self.sends and key not in remote):
                self.found.append(f"INV-1: the deletion of {soup} {key} is lost")
        names = collections.Counter(record[field] for record in remote.values())
        for changed, name in self.changes.created:
            if changed == soup and not (self.sends and names[name]) and not any(row[field] == name and row["__local__"] for row in rows):
                self.found.append(f"INV-1: the creation of {name} is lost")
        # INV-2: what was there before a run that came to its end is in the soup, for as long as the service has it.
        self.found += [f"INV-2: {soup} lost {key}" for key in sorted(self.delivered[soup]) if key in remote and key not in local]
        # INV-3: nothing was created twice.
        twice = sum(max(names[name] - 1, 0) for changed, name in self.changes.created if changed == soup)
        if twice and self.promises_once:
            self.found.append(f"INV-3: {twice} records of {soup} were created twice")
        # INV-4: a clean row is what the service took or gave.
        for row in rows:
            if not row["__local__"] and row[field] not in self.versions(soup, row["Id"], remote):
                self.found.append(f"INV-4: {soup} {row['Id']} is clean and not as the service has it")

    def doubles(self):
        """The records that were created more than once."""
        count = 0
        for soup in self.soups:
            names = collections.Counter(record[TYPES[soup][1]] for record in self.service.records(soup).values())
            count += sum(max(names[name] - 1, 0) for changed, name in self.changes.created if changed == soup)
        return count

    def check_end(self, expected=None):
        """INV-5 when all syncs have come to their end: both sides are as they are without a cut. `expected` has the names on the service, by soup."""
        content = self.check()
        self.found += [f"INV-5: a sync is {row['status']}" for row in content.syncs if row["status"] != "DONE"]
        for soup in self.soups:
            field, remote, rows = TYPES[soup][1], self.service.records(soup), content.rows[soup]
            if expected is not None:
                names = [record[field] for record in remote.values()]
                given, wanted = (sorted(names), sorted(expected[soup])) if self.promises_once else (set(names), set(expected[soup]))
                if given != wanted:
                    self.found.append(f"INV-5: the service has other {soup} than without the cut")
            waiting = [row for row in rows if row["__local__"]]
            clean = {row["Id"]: row for row in rows if not row["__local__"]}
            if self.sends:
                self.found += [f"INV-5: {soup} {row['_entry']} is still to be sent: {row.get('__last_error__')}" for row in waiting]
            if len(clean) + len(waiting) != len(rows):
                self.found.append(f"INV-5: {soup} has {len(rows) - len(clean) - len(waiting)} rows too many")
            theirs = set(remote) - {row["Id"] for row in waiting}
            if self.promises_once and set(clean) != theirs:
                missing, extra = sorted(theirs - set(clean)), sorted(set(clean) - theirs)
                self.found += [f"INV-2: {soup} lost {key}" for key in missing[:3]] + [f"INV-5: {soup} has the ghost {key}" for key in extra[:3]]
            compared = [field] if self.sends else [field, "LastModifiedDate"]
            self.found += [f"INV-4: {soup} {key} is stale" for key, row in clean.items() if key in remote and any(row[name] != remote[key][name] for name in compared)]
        return content
