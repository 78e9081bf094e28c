"""Cuts syncs down at random points, and checks the invariants after each cut."""

import json
import pathlib
import random

from sync_cuts_base import TYPES, Changes, Client, Invariants, Service, new_folder
from sync_plants import change, copy_row, drop_row, set_status

RECORDS = 600
# No rule strikes a later request.
LAST_RULE = 8
PAGE = 200
QUERIES = {
    "ordered": "select Name from Account",
    "unordered": "select Name from Account order by Name",
    "filtered": "select Name from Account where Name != 'never' or Industry = 'x'",
}
PARENTS = 150
TREES = {
    "type": "parent_children",
    "parent": {"sobjectType": "Account", "soupName": "accounts"},
    "parentFieldlist": ["Name"],
    "children": {"sobjectType": "Contact", "sobjectTypePlural": "Contacts", "soupName": "contacts", "parentIdFieldName": "AccountId"},
    "childrenFieldlist": ["LastName"],
    "relationshipType": "MASTER_DETAIL",
}
PLANS = [*sorted(QUERIES), "trees", "ghosts"]


def account(number):
    return f"001{number:015d}"


def tree_file(rng):
    """Parents with one to three children each; three parents have each time. A page has two children of a parent."""
    accounts, contacts = [], []
    for number in range(PARENTS):
        date = f"2025-01-01T00:{number // 3 // 60:02d}:{number // 3 % 60:02d}Z"
        accounts.append({"Name": f"n{number}", "Id": account(number), "LastModifiedDate": date})
        for child in range(rng.randint(1, 3)):
            contacts.append({"LastName": f"c{number}-{child}", "Id": f"003{len(contacts):015d}", "AccountId": account(number), "LastModifiedDate": date})
    rng.shuffle(accounts)
    return {"records": {"Account": accounts, "Contact": contacts}, "clock": {"now": "2026-01-01T00:00:00Z", "step": 1000}, "options": {"pageSize": 50, "childPageSize": 2, "liveCursors": 1000}}


def data_file(rng):
    """The records of a service, in a random order; seven have each time, so that times cross the ends of pages."""
    records = [
        {"Name": f"n{number}", "Id": account(number), "LastModifiedDate": f"2025-01-01T00:{second // 60:02d}:{second % 60:02d}Z"}
        for number in range(RECORDS)
        for second in [number // 7]
    ]
    rng.shuffle(records)
    return {"records": {"Account": records}, "clock": {"now": "2026-01-01T00:00:00Z", "step": 1000}}


def cut_rules(rng, plan, former):
    """What goes wrong at one request, and a name for it. A signal asks for a kill while its request waits."""
    nth = former + rng.randint(1, 40 if plan == "trees" else 4)
    kind = rng.choice(["kill-at", "kill-at", "kill-after", "kill-after", "dropBefore", "dropAfter", "shortBody", "cutJSON", "status", "expiredCursors"])
    if kind == "kill-after":
        return [], kind
    if kind == "kill-at":
        return [{"fault": "delay", "milliseconds": 300, "nth": nth}, {"fault": "signal", "name": "kill", "nth": nth}], f"{kind} {nth}"
    rule = {"fault": kind, "nth": nth}
    if kind == "status":
        rule |= {"status": rng.choice([401, 403, 429, 500, 503])}
    return [rule], f"{kind} {nth}"


def change_rules(rng, former, records, gone):
    """Records that other users change while a run is under way."""
    living = [number for number in range(records) if number not in gone]
    return [
        {"fault": "change", "type": "Account", "id": account(rng.choice(living)), "fields": {"Name": f"changed {number}"}, "nth": former + rng.randint(1, LAST_RULE), "after": rng.random() < 0.5}
        for number in range(rng.randint(0, 4))
    ]


class Versions:
    """The names that the service has given its records so far, or may have given them while a run was under way."""

    def __init__(self, data, rules):
        self.names = {}
        for soup, (kind, field) in TYPES.items():
            for record in data["records"].get(kind, []):
                self.names.setdefault((soup, record["Id"]), set()).add(record[field])
        for rule in rules:
            if rule["fault"] == "change":
                self.names["accounts", rule["id"]].add(rule["fields"]["Name"])

    def __call__(self, soup, key, remote):
        return self.names.get((soup, key), set())


def one_cut(seed, plan=None, plant=None):
    """Cuts one sync. Returns what was done, how often it was cut, and what is wrong afterwards."""
    rng = random.Random(seed)
    plan = plan or rng.choice(PLANS)
    cleans = plan == "ghosts"
    gone = set(rng.sample(range(RECORDS), rng.randint(1, 40))) if cleans else set()
    # The requests before anything goes wrong: those of the first run.
    former = RECORDS // PAGE if cleans else 0
    rules, names = change_rules(rng, former, PARENTS if plan == "trees" else RECORDS, gone), []
    for _ in range(rng.randint(1, 2)):
        more, name = cut_rules(rng, plan, former)
        rules += more
        names.append(name)
    data = tree_file(rng) if plan == "trees" else data_file(rng)
    with new_folder() as name:
        folder = pathlib.Path(name)
        service = Service(folder, data, rules)
        try:
            sync = Sync(Client(folder, service), plan, Versions(data, rules))
            cuts = 0
            sync.edit(rng, gone)
            for number in gone:
                service.delete("accounts", account(number))
            for number in range(20):
                kill_after = rng.uniform(0, 0.4) if number < len(names) and names[number] == "kill-after" else None
                status = sync.run(kill_after, cleans)
                cuts += status != 0
                if sync.invariants.found:
                    return f"{plan}: {', '.join(names)}", cuts, sync.invariants.found
                if status == 0 and number >= len(names) and service.requests() > former + LAST_RULE:
                    break
            # What changed during the last run comes with the next one.
            status = sync.run(None, cleans)
            if status != 0:
                return f"{plan}: {', '.join(names)}", cuts, [f"ended with {status}"]
            if plant:
                plant(sync.client)
            sync.invariants.check_end()
        finally:
            service.close()
    return f"{plan}: {', '.join(names)}", cuts, sync.invariants.found


class Sync:
    """One sync down, and what holds of it."""

    def __init__(self, client, plan, versions):
        self.client, self.plan = client, plan
        self.soups = ["accounts", "contacts"] if plan == "trees" else ["accounts"]
        self.changes = Changes()
        self.invariants = Invariants(client, self.soups, self.changes, versions, sends=False)

    def edit(self, rng, gone):
        """Changes rows locally: new ones, and, where there are rows already, some of the service."""
        edits = {soup: [] for soup in self.soups}
        if self.plan == "ghosts" and self.run(None, False) != 0:
            raise RuntimeError("the first run failed")
        for soup in self.soups:
            for number in range(2):
                self.changes.created[soup, f"mine {number}"] = f"local_{soup}{number}"
                edits[soup].append({"create": {"Id": f"local_{soup}{number}", TYPES[soup][1]: f"mine {number}"}})
        if self.plan == "ghosts":
            for number in rng.sample(sorted(set(range(RECORDS)) - gone), 4):
                if len(self.changes.updated) < 2:
                    self.changes.updated["accounts", account(number)] = f"mine {account(number)}"
                    edits["accounts"].append({"update": account(number), "changes": {"Name": f"mine {account(number)}"}})
                else:
                    self.changes.deleted.add(("accounts", account(number)))
                    edits["accounts"].append({"delete": account(number)})
        for soup, lines in edits.items():
            self.client.edit(soup, lines)

    def run(self, kill_after, cleans):
        """Runs the sync once, and checks the invariants. Returns its status, negative if it was killed."""
        what = ["--target", json.dumps(TREES)] if self.plan == "trees" else ["--page-size", str(PAGE), QUERIES.get(self.plan, QUERIES["ordered"])]
        before = self.invariants.ids()
        arguments = ["down", "--port", str(self.client.service.port), "--soup", "accounts", "--leave-if-changed", *(["--clean-ghosts"] if cleans else []), *what]
        status, _, _ = self.client.run(*arguments, kill_after=kill_after)
        if status < 0:
            self.client.reopen()
        if status == 0:
            self.invariants.ran_down(before)
        self.invariants.check()
        return status


def self_test(seed):
    """Plants what the checks must find."""
    plants = {
        "INV-1": drop_row("accounts", "Id LIKE 'local_%'"),
        "INV-2": drop_row("accounts", "Id LIKE '001%'"),
        "INV-4": change("accounts", "Id LIKE '001%'", Name="other"),
        "INV-5: accounts has 1 rows too many": copy_row("accounts", "Id LIKE '001%'"),
        "INV-5: accounts has the ghost": change("accounts", "Id LIKE '001%'", Id="001GONE"),
        "INV-5: a sync": set_status("RUNNING"),
        "INV-6": change("accounts", "Id LIKE '001%'", column="Id"),
    }
    return [f"{word} in {plan}" for plan in ["ordered", "trees", "ghosts"] for word, plant in plants.items() if not any(text.startswith(word) for text in one_cut(seed, plan, plant)[2])]
