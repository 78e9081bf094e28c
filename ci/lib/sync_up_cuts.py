"""Cuts syncs up at random places, and checks that no local change is lost and no record is created twice."""

import json
import pathlib
import random
import signal
import sqlite3
import subprocess
import tempfile
import threading
import urllib.parse
import urllib.request

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
SOUP = TOP / ".build" / "debug" / "soup"
RECORDS = 12
KINDS = ["single", "composite", "collection", "parent_children"]
# Failures strike the requests of the store's version; the checks ask under another one.
VERSION, OTHER_VERSION = "v66.0", "v65.0"
# A key that makes repetitions harmless; a note of what is in doubt; neither.
LEVELS = ["A", "C", "D"]
QUERIES = {
    "accounts": "select Name, ExternalId__c from Account",
    "contacts": "select LastName, AccountId, ExternalId__c from Contact",
}
TYPES = {"accounts": ("Account", "Name"), "contacts": ("Contact", "LastName")}


class Service:
    """A mock service in a process of its own, and the client that its signals kill."""

    def __init__(self, folder, data, rules):
        (folder / "data.json").write_text(json.dumps(data))
        (folder / "rules.json").write_text(json.dumps(rules))
        self.log = folder / "requests.jsonl"
        arguments = [SOUP, "mock", "--data", folder / "data.json", "--faults", folder / "rules.json", "--log", self.log]
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])
        self.client = None
        threading.Thread(target=self.obey, daemon=True).start()

    def obey(self):
        for line in self.process.stdout:
            client = self.client
            if line.startswith("signal") and client:
                client.send_signal(signal.SIGKILL)

    def records(self, kind):
        """The records of a type by their ids, asked for with the service's own queries."""
        fields = "Id, Name, ExternalId__c" if kind == "Account" else "Id, LastName, AccountId, ExternalId__c"
        query = urllib.parse.quote(f"select {fields} from {kind}")
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/services/data/{OTHER_VERSION}/query?q={query}") as answer:
            return {record["Id"]: record for record in json.load(answer)["records"]}

    def close(self):
        self.process.kill()
        self.process.wait()


class Client:
    """One store, changed and synchronised by `soup sync`."""

    def __init__(self, folder, service):
        self.folder, self.service, self.store = folder, service, folder / "store.db"

    def run(self, *arguments, kill_after=None, check=False):
        command = [SOUP, "sync", *arguments[:1], "--store", self.store, *arguments[1:]]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.service.client = process
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

    def down(self, check=True):
        """Brings what is new on the service; rows that were changed here stay. Returns whether all of it came."""
        arguments = ["--port", str(self.service.port), "--leave-if-changed"]
        ends = [self.run("down", *arguments, "--soup", soup, "--name", soup, query, check=check)[0] for soup, query in QUERIES.items()]
        return not any(ends)

    def rows(self):
        """The rows of each soup and the states of syncs, read by Python's own library, and what is wrong with the file."""
        connection = sqlite3.connect(self.store)
        tables = dict((name, f"TABLE_{number}") for number, name in connection.execute("SELECT id, soupName FROM soup_attrs"))
        found = {
            name: [json.loads(text) | {"_entry": number} for number, text in connection.execute(f"SELECT id, soup FROM {tables[name]} ORDER BY id")]
            for name in ("accounts", "contacts", "syncs_soup")
            if name in tables
        }
        problems = [text for (text,) in connection.execute("PRAGMA integrity_check") if text != "ok"]
        connection.close()
        return found, problems


class Plan:
    """What a user does, how it is sent, and how it is cut."""

    def __init__(self, rng):
        self.kind, self.level = rng.choice(KINDS), rng.choice(LEVELS)
        self.leaves = rng.random() < 0.4
        self.soups = ["accounts", "contacts"] if self.kind == "parent_children" else ["accounts"]
        self.created, self.updated, self.deleted = {}, {}, set()
        self.changes = {soup: [] for soup in self.soups}
        for number in range(rng.randint(1, 4)):
            parent = self.create("accounts", number, {})
            for child in range(rng.randint(0, 3) if "contacts" in self.soups else 0):
                self.create("contacts", f"{number}.{child}", {"AccountId": parent})
        for soup in self.soups:
            chosen = rng.sample(range(RECORDS), 5)
            for number in chosen[:3]:
                self.update(soup, number)
            for number in chosen[3:]:
                if soup == "contacts" or "contacts" not in self.soups:
                    self.delete(soup, number)

    def create(self, soup, number, more):
        field = TYPES[soup][1]
        local, name = f"local_{soup}{number}", f"new {soup} {number}"
        record = {"Id": local, field: name, "attributes": {"type": TYPES[soup][0]}} | more
        if self.level == "A":
            record["ExternalId__c"] = f"key {soup} {number}"
        self.changes[soup].append({"create": record})
        self.created[(soup, name)] = local
        return local

    def update(self, soup, number):
        name = f"changed {soup} {number}"
        self.changes[soup].append({"update": record_id(soup, number), "changes": {TYPES[soup][1]: name}})
        self.updated[(soup, record_id(soup, number))] = name

    def delete(self, soup, number):
        self.changes[soup].append({"delete": record_id(soup, number)})
        self.deleted.add((soup, record_id(soup, number)))

    @property
    def target(self):
        target = {"swiftImpl": self.kind, "createFieldlist": ["Name", "ExternalId__c"], "updateFieldlist": ["Name"]}
        if self.level == "A":
            target["externalIdFieldName"] = "ExternalId__c"
        if self.level == "D":
            target["doubt"] = "resend"
        if self.kind == "parent_children":
            key = {"externalIdFieldName": "ExternalId__c"} if self.level == "A" else {}
            target |= {
                "parent": {"sobjectType": "Account", "soupName": "accounts"} | key,
                "children": {"sobjectType": "Contact", "soupName": "contacts", "sobjectTypePlural": "Contacts", "parentIdFieldName": "AccountId"} | key,
                "relationshipType": "MASTER_DETAIL",
                "childrenCreateFieldlist": ["LastName", "ExternalId__c"],
                "childrenUpdateFieldlist": ["LastName"],
            }
        elif self.kind in ("composite", "collection"):
            target["maxBatchSize"] = 3
        return json.dumps(target)


def record_id(soup, number):
    return f"{'001' if soup == 'accounts' else '003'}{number:015d}"


def data_file():
    accounts = [{"Name": f"n{n}", "Id": record_id("accounts", n), "LastModifiedDate": "2025-01-01T00:00:00Z"} for n in range(RECORDS)]
    contacts = [{"LastName": f"n{n}", "AccountId": record_id("accounts", n), "Id": record_id("contacts", n), "LastModifiedDate": "2025-01-01T00:00:00Z"} for n in range(RECORDS)]
    return {"records": {"Account": accounts, "Contact": contacts}, "clock": {"now": "2026-01-01T00:00:00Z", "step": 1000}}


def cut_rules(rng, first):
    """What goes wrong at one request of the runs up, and a name for it. Requests before `first` are those of the runs down."""
    nth = first + rng.randint(0, 6)
    kind = rng.choice(["kill-before", "kill-after-request", "kill-time", "dropBefore", "dropAfter", "dropAfter", "shortBody", "cutJSON", "status", "status-after", "rows"])
    if kind == "kill-time":
        return [], kind
    if kind == "kill-before":
        return [{"fault": "signal", "name": "kill", "nth": nth}, {"fault": "delay", "milliseconds": 150, "nth": nth}], f"{kind} {nth - first}"
    if kind == "kill-after-request":
        return [{"fault": "signal", "name": "kill", "nth": nth, "after": True}, {"fault": "delay", "milliseconds": 150, "nth": nth}], f"{kind} {nth - first}"
    rule = {"fault": "status" if kind.startswith("status") else kind, "nth": nth}
    if kind.startswith("status"):
        rule |= {"status": rng.choice([401, 429, 500, 503]), "afterApplying": kind == "status-after"}
        if rule["status"] in (401, 429):
            rule["afterApplying"] = False
    if kind == "rows":
        rule["fault"] = rng.choice(["oneShort", "oneMore", "nullAmong"])
    return [rule], f"{kind} {nth - first}"


def clean_rows_agree(client, service, rows, found):
    """INV-4: the service has what a clean row says. INV-1: a change is on the service, or its row is still to be sent."""
    plan = client.plan
    for soup in plan.soups:
        kind, field = TYPES[soup]
        remote = service.records(kind)
        local = {row["Id"]: row for row in rows[soup]}
        for row in rows[soup]:
            if not row["__local__"] and (row["Id"] not in remote or remote[row["Id"]][field] != row[field]):
                found.append(f"INV-4: {soup} {row['Id']} is clean and not on the service")
        for (changed, key), name in plan.updated.items():
            if changed == soup and not (key in local and local[key]["__local__"]) and remote.get(key, {}).get(field) != name:
                found.append(f"INV-1: the change of {soup} {key} is lost")
        for changed, key in plan.deleted:
            if changed == soup and key in remote and not (key in local and local[key]["__local__"]):
                found.append(f"INV-1: the deletion of {soup} {key} is lost")
        names = [record[field] for record in remote.values()]
        for changed, name in plan.created:
            if changed == soup and name not in names and not any(row[field] == name and row["__local__"] for row in rows[soup]):
                found.append(f"INV-1: the creation of {name} is lost")


def doubles(client, service):
    """The records that were created more than once."""
    count = 0
    for soup in client.plan.soups:
        kind, field = TYPES[soup]
        names = [record[field] for record in service.records(kind).values()]
        count += sum(max(names.count(name) - 1, 0) for changed, name in client.plan.created if changed == soup)
    return count


def resolve(client, service):
    """Decides what is in doubt, as somebody would who looks at the service. Returns how many there were."""
    count = 0
    for soup in client.plan.soups:
        kind, field = TYPES[soup]
        _, out, _ = client.run("resolve", "--soup", soup, check=True)
        remote = {record[field]: key for key, record in service.records(kind).items()}
        for line in out.splitlines():
            entry, sent = line.split("\t", 1)
            key = remote.get(json.loads(sent)[field])
            client.run("resolve", "--soup", soup, "--entry", entry, *(["--created-as", key] if key else []), check=True)
            count += 1
    return count


def check(client, service, found):
    rows, problems = client.rows()
    found += [f"INV-6: {text}" for text in problems]
    clean_rows_agree(client, service, rows, found)
    return rows


def one_cut(seed, plant=None):
    """Cuts one sync up. Returns what was done, how often it was cut, what is wrong, and how many records came twice."""
    rng = random.Random(seed)
    plan = Plan(rng)
    # Two requests of the syncs down come first.
    rules, names = [], []
    for _ in range(rng.randint(1, 2)):
        more, name = cut_rules(rng, 3)
        rules += [rule | {"path": f"/{VERSION}/"} for rule in more]
        names.append(name)
    found, cuts, held = [], 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        service = Service(folder, data_file(), rules)
        client = Client(folder, service)
        client.plan = plan
        try:
            client.edit("contacts", [])
            client.down()
            for soup in plan.soups:
                client.edit(soup, plan.changes[soup])
            extra = ["--leave-if-changed"] if plan.leaves else []
            is_down = True
            for number in range(12):
                kill_after = rng.uniform(0, 0.4) if number < len(names) and names[number] == "kill-time" else None
                status, _, _ = client.run("up", "--port", str(service.port), "--soup", "accounts", "--target", plan.target, *extra, kill_after=kill_after)
                cuts += status != 0
                rows = check(client, service, found)
                if found:
                    break
                if plan.leaves and number >= len(names):
                    # A row that was sent has an older date than its record until a sync down.
                    is_down = client.down(check=False)
                if status == 0:
                    held += (pending := resolve(client, service))
                    rows, _ = client.rows()
                    dirty = [row for soup in plan.soups for row in rows[soup] if row["__local__"]]
                    if is_down and not pending and not dirty and number >= len(names):
                        break
            if plant:
                plant(client, service)
            rows = check(client, service, found)
            found += [f"INV-5: {row['_entry']} of {soup} is still to be sent: {row.get('__last_error__')}" for soup in plan.soups for row in rows[soup] if row["__local__"]]
            found += [f"INV-5: a sync is {row['status']}" for row in rows["syncs_soup"] if row["status"] != "DONE"]
            for soup in plan.soups:
                remote = service.records(TYPES[soup][0])
                local = [row["Id"] for row in rows[soup]]
                if plan.level != "D" and sorted(local) != sorted(remote):
                    found.append(f"INV-5: {soup} and the service have other records: {sorted(set(local) ^ set(remote))[:4]}")
            twice = doubles(client, service)
            if twice and plan.level != "D":
                found.append(f"INV-3: {twice} records were created twice")
        finally:
            service.close()
    mode = "leaving" if plan.leaves else "overwriting"
    return f"{plan.kind} {plan.level} {mode}: {', '.join(names)}", cuts, found, twice, held, plan.level


def self_test(seed):
    """Plants what the checks must find."""

    def change(field, value):
        def plant(client, service):
            connection = sqlite3.connect(client.store)
            table = dict((name, number) for number, name in connection.execute("SELECT id, soupName FROM soup_attrs"))["accounts"]
            number, text = connection.execute(f"SELECT id, soup FROM TABLE_{table} ORDER BY id LIMIT 1").fetchone()
            row = json.loads(text) | {field: value}
            connection.execute(f"UPDATE TABLE_{table} SET soup = ? WHERE id = ?", (json.dumps(row), number))
            connection.commit()
            connection.close()

        return plant

    plants = {"INV-4": change("Name", "other"), "INV-5": change("__local__", True)}
    missed = [word for word, plant in plants.items() if not any(word in text for text in one_cut(seed, plant)[2])]
    print("self-test: " + (f"not found: {', '.join(missed)}" if missed else "all planted faults were found"))
    return 1 if missed else 0
