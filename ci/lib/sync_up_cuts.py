"""Cuts syncs up at random points, and checks the invariants after each cut."""

import contextlib
import json
import pathlib
import random
import shutil

from sync_cuts_base import TYPES, Changes, Client, Invariants, Service, new_folder
from sync_plants import change, create_again, drop_row, forget_change, set_status

RECORDS = 12
KINDS = ["single", "composite", "collection", "parent_children"]
# A key that makes repetitions harmless; a note of what is in doubt; neither.
LEVELS = ["A", "C", "D"]
QUERIES = {
    "accounts": "select Name, ExternalId__c from Account",
    "contacts": "select LastName, AccountId, ExternalId__c from Contact",
}


class Plan:
    """What a user does, how it is sent, and how it is cut."""

    def __init__(self, rng):
        self.kind, self.level = rng.choice(KINDS), rng.choice(LEVELS)
        self.leaves = rng.random() < 0.4
        self.soups = ["accounts", "contacts"] if self.kind == "parent_children" else ["accounts"]
        self.changes, self.lines = Changes(), {soup: [] for soup in self.soups}
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
        self.lines[soup].append({"create": record})
        self.changes.created[soup, name] = local
        return local

    def update(self, soup, number):
        name = f"changed {soup} {number}"
        self.lines[soup].append({"update": record_id(soup, number), "changes": {TYPES[soup][1]: name}})
        self.changes.updated[soup, record_id(soup, number)] = name

    def delete(self, soup, number):
        self.lines[soup].append({"delete": record_id(soup, number)})
        self.changes.deleted.add((soup, record_id(soup, number)))

    @property
    def expected(self):
        """The names that the service has in the end, by soup."""
        expected = {}
        for soup in self.soups:
            names = {record_id(soup, number): f"n{number}" for number in range(RECORDS)}
            names |= {key: name for (changed, key), name in self.changes.updated.items() if changed == soup}
            living = [name for key, name in names.items() if (soup, key) not in self.changes.deleted]
            expected[soup] = living + [name for changed, name in self.changes.created if changed == soup]
        return expected

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

    @property
    def name(self):
        return f"{self.kind} {self.level} {'leaving' if self.leaves else 'overwriting'}"


def record_id(soup, number):
    return f"{'001' if soup == 'accounts' else '003'}{number:015d}"


def data_file():
    accounts = [{"Name": f"n{n}", "Id": record_id("accounts", n), "LastModifiedDate": "2025-01-01T00:00:00Z"} for n in range(RECORDS)]
    contacts = [{"LastName": f"n{n}", "AccountId": record_id("accounts", n), "Id": record_id("contacts", n), "LastModifiedDate": "2025-01-01T00:00:00Z"} for n in range(RECORDS)]
    return {"records": {"Account": accounts, "Contact": contacts}, "clock": {"now": "2026-01-01T00:00:00Z", "step": 1000}}


def cut_rules(rng):
    """What goes wrong at one request, and a name for it."""
    nth = rng.randint(1, 7)
    kind = rng.choice(["kill-before", "kill-after-request", "kill-time", "dropBefore", "dropAfter", "dropAfter", "shortBody", "cutJSON", "status", "status-after", "rows"])
    if kind == "kill-time":
        return [], kind
    if kind == "kill-before":
        return [{"fault": "signal", "name": "kill", "nth": nth}, {"fault": "delay", "milliseconds": 150, "nth": nth}], f"{kind} {nth}"
    if kind == "kill-after-request":
        return [{"fault": "signal", "name": "kill", "nth": nth, "after": True}, {"fault": "delay", "milliseconds": 150, "nth": nth}], f"{kind} {nth}"
    rule = {"fault": "status" if kind.startswith("status") else kind, "nth": nth}
    if kind.startswith("status"):
        rule |= {"status": rng.choice([401, 429, 500, 503]), "afterApplying": kind == "status-after"}
        if rule["status"] in (401, 429):
            rule["afterApplying"] = False
    if kind == "rows":
        rule["fault"] = rng.choice(["oneShort", "oneMore", "nullAmong"])
    return [rule], f"{kind} {nth}"


class Work:
    """A store in step with a service, changed locally, and its sync up."""

    def __init__(self, folder, service, plan):
        self.plan = plan
        self.client = Client(folder, service)
        self.client.changes = plan.changes
        self.invariants = Invariants(self.client, plan.soups, plan.changes, self.versions, sends=True, promises_once=plan.level != "D")

    def versions(self, soup, key, remote):
        """A clean row is what the service has now: no other client changes its records."""
        return {remote[key][TYPES[soup][1]]} if key in remote else set()

    def fill(self, template):
        """Takes the store over as it is after a sync down of both soups, and changes it."""
        shutil.copytree(template, self.client.folder, dirs_exist_ok=True)
        self.invariants.ran_down({soup: {record_id(soup, number) for number in range(RECORDS)} for soup in self.plan.soups})
        for soup in self.plan.soups:
            self.client.edit(soup, self.plan.lines[soup])

    def down(self, check=True):
        """Brings what is new on the service; rows that were changed here stay. Returns whether all of it came."""
        before = self.invariants.ids()
        arguments = ["--port", str(self.client.service.port), "--leave-if-changed"]
        ends = [self.client.run("down", *arguments, "--soup", soup, "--name", soup, query, check=check)[0] for soup, query in QUERIES.items()]
        if not any(ends):
            self.invariants.ran_down(before)
        return not any(ends)

    def up(self, kill_after):
        """Runs the sync once, and checks the invariants. Returns its status, negative if it was killed."""
        extra = ["--leave-if-changed"] if self.plan.leaves else []
        status, _, _ = self.client.run("up", "--port", str(self.client.service.port), "--soup", "accounts", "--target", self.plan.target, *extra, kill_after=kill_after)
        if status < 0:
            self.client.reopen()
        self.invariants.check()
        return status

    def resolve(self):
        """Decides what is in doubt, as somebody would who looks at the service. Returns how many there were."""
        count = 0
        if not self.client.content().rows["sync_outbox"]:
            return 0
        for soup in self.plan.soups:
            field = TYPES[soup][1]
            _, out, _ = self.client.run("resolve", "--soup", soup, check=True)
            remote = {record[field]: key for key, record in self.client.service.records(soup).items()} if out else {}
            for line in out.splitlines():
                entry, sent = line.split("\t", 1)
                key = remote.get(json.loads(sent)[field])
                self.client.run("resolve", "--soup", soup, "--entry", entry, *(["--created-as", key] if key else []), check=True)
                count += 1
        return count

    def is_clean(self):
        rows = self.client.content().rows
        return not any(row["__local__"] for soup in self.plan.soups for row in rows[soup])


@contextlib.contextmanager
def template():
    """The folder of a store after a sync down of both soups: the same for every cut."""
    with new_folder() as name:
        folder = pathlib.Path(name)
        service = Service(folder, data_file(), [])
        try:
            work = Work(folder, service, Plan(random.Random(0)))
            for soup in QUERIES:
                work.client.edit(soup, [])
            work.down()
        finally:
            service.close()
        for path in folder.iterdir():
            if not path.name.startswith("store.db"):
                path.unlink()
        yield folder


def one_cut(seed, filled, plant=None):
    """Cuts one sync up, on a copy of a filled store. Returns its plan, what was done, how often it was cut, what is wrong, and how many records came twice and were held."""
    rng = random.Random(seed)
    plan = Plan(rng)
    rules, names = [], []
    for _ in range(rng.randint(1, 2)):
        more, name = cut_rules(rng)
        rules += more
        names.append(name)
    cuts, held, twice = 0, 0, 0
    with new_folder() as name:
        folder = pathlib.Path(name)
        service = Service(folder, data_file(), rules)
        try:
            work = Work(folder, service, plan)
            work.fill(filled)
            found = work.invariants.found
            for number in range(12):
                kill_after = rng.uniform(0, 0.4) if number < len(names) and names[number] == "kill-time" else None
                status = work.up(kill_after)
                cuts += status != 0
                if found:
                    break
                # A row that was sent has an older date than its record until a sync down.
                is_down = not plan.leaves or number < len(names) or work.down(check=False)
                if status == 0:
                    pending = work.resolve()
                    held += pending
                    if is_down and not pending and number >= len(names) and work.is_clean():
                        break
            if plant:
                plant(work.client)
            if not found:
                work.invariants.check_end(plan.expected)
            twice = work.invariants.doubles()
        finally:
            service.close()
    return plan, ", ".join(names), cuts, found, twice, held


def self_test(seed):
    """Plants what the checks must find. Returns what they do not find."""
    # Of a plan that promises that nothing comes twice.
    seed = next(number for number in range(seed, seed + 1000) if Plan(random.Random(number)).level == "A")
    plants = {
        "INV-1": forget_change("accounts"),
        "INV-2": drop_row("accounts", "Id LIKE '001%'"),
        "INV-3": create_again("accounts"),
        "INV-4": change("accounts", "Id LIKE '001%'", Name="other"),
        "INV-5: accounts": change("accounts", "Id LIKE '001%'", __local__=True),
        "INV-5: a sync": set_status("RUNNING"),
        "INV-6": change("accounts", "Id LIKE '001%'", column="Id"),
    }
    with template() as filled:
        return [word for word, plant in plants.items() if not any(text.startswith(word) for text in one_cut(seed, filled, plant)[3])]
