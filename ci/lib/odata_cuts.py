"""Cuts loads and pushes of entity sets, and checks that no change is lost and no entity is created twice."""

import concurrent.futures
import http.client
import json
import pathlib
import random
import sqlite3
import subprocess
import tempfile
import time
import urllib.request

from mock_process import MockProcess
from sync_cuts_base import SOUP

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
ORDERS = 12
# A key that makes repetitions harmless; a note of what is in doubt; neither.
LEVELS = ["A", "C", "D"]
WAYS = [("4.0", "json"), ("4.01", "json"), ("2.0", "atom"), ("2.0", "verbosejson"), ("3.0", "json")]
MODES = ["single", "batch"]
KINDS = ["kill-before", "kill-after", "dropBefore", "dropAfter", "cut", "shortened", "status-before", "status-after"]
LOADED = 60
PAGE = 10
# The requests of the loads before a push: one page of each set.
FORMER = 2
# No rule strikes a later request.
LAST_RULE = 12


def metadata(level, version):
    """Orders and their items. The keys are the client's at level A, else numbers of the service."""
    key = "Edm.Guid" if level == "A" else "Edm.Int32"
    properties = "".join(f'<Property Name="{name}" Type="Edm.String"/>' for name in ("Mark", "Text"))
    order = f'<EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="{key}" Nullable="false"/>{properties}'
    item = f'<EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="{key}" Nullable="false"/>{properties}<Property Name="OrderID" Type="{key}"/>'
    sets = '<EntityContainer Name="C"><EntitySet Name="Orders" EntityType="N.Order"/><EntitySet Name="Items" EntityType="N.Item"/>'
    if version.startswith("4"):
        order += '<NavigationProperty Name="Items" Type="Collection(N.Item)" Partner="Order"/></EntityType>'
        item += '<NavigationProperty Name="Order" Type="N.Order" Partner="Items"><ReferentialConstraint Property="OrderID" ReferencedProperty="ID"/></NavigationProperty></EntityType>'
        return f'<Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">{order}{item}{sets}</EntityContainer></Schema>'
    order += '<NavigationProperty Name="Items" Relationship="N.R" FromRole="O" ToRole="I"/></EntityType>'
    item += '<NavigationProperty Name="Order" Relationship="N.R" FromRole="I" ToRole="O"/></EntityType>'
    link = (
        '<Association Name="R"><End Role="O" Type="N.Order" Multiplicity="0..1"/><End Role="I" Type="N.Item" Multiplicity="*"/><ReferentialConstraint>'
        '<Principal Role="O"><PropertyRef Name="ID"/></Principal><Dependent Role="I"><PropertyRef Name="OrderID"/></Dependent></ReferentialConstraint></Association>'
    )
    sets += '<AssociationSet Name="S" Association="N.R"><End Role="O" EntitySet="Orders"/><End Role="I" EntitySet="Items"/></AssociationSet>'
    return f'<Schema Namespace="N" xmlns="http://schemas.microsoft.com/ado/2009/11/edm">{order}{item}{link}{sets}</EntityContainer></Schema>'


def key(level, number):
    return f"00000000-0000-4000-9000-{number:012x}" if level == "A" else number


class Service(MockProcess):
    """A mock service of entity sets."""

    def __init__(self, folder, document, data, rules):
        self.metadata = folder / "metadata.xml"
        self.metadata.write_text(document)
        super().__init__([SOUP, "mock", "odata", "--metadata", self.metadata], folder, data, rules)

    def requests(self):
        return self.logged("\n")

    def entities(self, name):
        """The entities of a set. A rule may strike these requests too: they are asked again."""
        for _ in range(10):
            try:
                found, url = [], self.root + name
                while url:
                    request = urllib.request.Request(url, headers={"Accept": "application/json"})
                    with urllib.request.urlopen(request) as answer:
                        page = json.load(answer)
                    page = page.get("d", page)
                    found += page["results"] if "results" in page else page["value"]
                    url = next((page[name] for name in ("__next", "odata.nextLink", "@odata.nextLink", "@nextLink") if name in page), None)
                return found
            except (OSError, ValueError, http.client.HTTPException):
                time.sleep(0.01)
        raise RuntimeError("the service does not answer")


class Client:
    """One store, loaded, changed and pushed by `soup odata`."""

    def __init__(self, folder, service, way, level):
        self.folder, self.service, self.store = folder, service, folder / "store.db"
        self.options = ["--metadata", service.metadata, "--version", way[0], "--format", way[1], "--conflict", "merge"]
        self.options += ["--makes-keys"] if level == "A" else ["--doubt", "resend"] if level == "D" else []

    def run(self, command, *arguments, kill_after=None, check=False):
        process = subprocess.Popen([SOUP, "odata", command, self.store, *map(str, arguments), *self.options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.service.client = process
        try:
            out, err = process.communicate(timeout=kill_after)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
        self.service.client = None
        if check and process.returncode != 0:
            raise RuntimeError(f"{command}: {err.strip()}")
        return process.returncode, out, err

    def load(self, name, kill_after=None):
        """Goes on with a load that was cut, or begins one. Returns whether it is done."""
        status, _, err = self.run("load", name, self.service.root, "--resume", kill_after=kill_after)
        if "waits to be continued" in err:
            status = self.run("load", name, self.service.root, kill_after=kill_after)[0]
        return status == 0

    def edit(self, *changes):
        """Makes changes, and returns the keys of their rows."""
        path = self.folder / "changes.jsonl"
        path.write_text("".join(json.dumps(change) + "\n" for change in changes))
        return self.run("edit", path, check=True)[1].split("\n")[:-1]

    def rows(self):
        """The rows of each soup, read by Python's own library, and what is wrong with the file."""
        connection = sqlite3.connect(self.store)
        tables = dict((name, f"TABLE_{number}") for number, name in connection.execute("SELECT id, soupName FROM soup_attrs"))
        found = {name: [json.loads(text) for (text,) in connection.execute(f"SELECT soup FROM {tables[name]} ORDER BY id")] if name in tables else [] for name in ("Orders", "Items", "odata_loads")}
        problems = [text for (text,) in connection.execute("PRAGMA integrity_check") if text != "ok"]
        connection.close()
        return found, problems


class Plan:
    """What a user does, by the marks of the entities."""

    def __init__(self, rng, level, is_small):
        self.level = level
        self.created, self.updated, self.deleted = {}, {}, set()
        self.new = [(f"new {number}", rng.randint(0, 2)) for number in range(1 if is_small else rng.randint(1, 3))]
        if is_small:
            self.new = [("new 0", 1)]
        chosen = rng.sample(range(ORDERS), 2 if is_small else 6)
        self.chosen = chosen[: len(chosen) // 2], chosen[len(chosen) // 2 :]

    def make(self, client):
        for mark, items in self.new:
            (order,) = client.edit({"set": "Orders", "create": {"Mark": mark, "Text": "created"}})
            self.created[mark] = "Orders"
            for number in range(items):
                client.edit({"set": "Items", "create": {"Mark": f"{mark}.{number}", "Text": "created", "OrderID": order}})
                self.created[f"{mark}.{number}"] = "Items"
        changes = []
        for number in self.chosen[0]:
            self.updated[f"o{number}"] = f"changed {number}"
            changes.append({"set": "Orders", "update": key(self.level, number + 1), "changes": {"Text": f"changed {number}"}})
        for number in self.chosen[1]:
            self.deleted.add(f"i{number}")
            changes.append({"set": "Items", "delete": key(self.level, number + 101)})
        client.edit(*changes)


def data_file(level, version, plan):
    options = {"version": version, "takesKeys": level == "A", "pageSize": PAGE if plan in ("load", "delta") else 1000}
    orders = [{"ID": key(level, number + 1), "Mark": f"o{number}", "Text": "first"} for number in range(LOADED if plan in ("load", "delta") else ORDERS)]
    items = [{"ID": key(level, number + 101), "Mark": f"i{number}", "Text": "first", "OrderID": key(level, number + 1)} for number in range(ORDERS)]
    return {"options": options, "now": "2026-01-01T00:00:00Z", "entities": {"Orders": orders, "Items": items}}


def cut_rules(rng, kind, nth):
    """What goes wrong at one request. A signal kills the client while it waits for the answer."""
    if kind == "kill-before":
        return [{"fault": "signal", "name": "kill", "nth": nth}, {"fault": "dropBefore", "nth": nth}, {"fault": "delay", "milliseconds": 150, "nth": nth}]
    if kind == "kill-after":
        return [{"fault": "signal", "name": "kill", "nth": nth, "after": True}, {"fault": "delay", "milliseconds": 150, "nth": nth}]
    if kind.startswith("status"):
        after = kind == "status-after"
        status = rng.choice([500, 503] if after else [401, 429, 500, 503])
        return [{"fault": "status", "status": status, "body": rng.choice(["html", "empty"]), "afterApplying": after, "nth": nth}]
    return [{"fault": kind, "nth": nth}]


def other_users(rng, level, names):
    """Orders that other users change while a run is under way."""
    return [
        {"fault": "change", "entitySet": "Orders", "key": str(key(level, rng.choice(names) + 1)), "properties": {"Text": f"theirs {number}"}, "nth": rng.randint(1, LAST_RULE), "after": rng.random() < 0.5}
        for number in range(rng.randint(0, 3))
    ]


def compare(client, service, found, plant=None):
    """What differs between the service and the soups."""
    held, problems = client.rows()
    if plant:
        plant(held)
    for name in ("Orders", "Items"):
        there = {json.dumps(entity["ID"]): entity for entity in service.entities(name)}
        here = {json.dumps(row.get("ID")): row for row in held[name]}
        if len(here) != len(held[name]):
            found.append(f"{len(held[name]) - len(here)} rows of {name} too many")
        found += [f"lost row {name} {mark}" for mark in there if mark not in here]
        found += [f"ghost {name} {mark}" for mark in here if mark not in there]
        found += [f"stale {name} {mark}" for mark in here if mark in there and any(here[mark].get(field) != there[mark][field] for field in ("Mark", "Text"))]
        found += [f"dirty {name} {row.get('Mark')}" for row in held[name] if row["__local__"]]
    found += [f"load {row['set']} {row['status']}" for row in held["odata_loads"] if row["status"] != "DONE"]
    found += problems


def resolve(client, service):
    """Decides inserts in doubt as a user does who looks at the service. Returns their number."""
    held = 0
    for name in ("Orders", "Items"):
        lines = client.run("resolve", name, check=True)[1].split("\n")[:-1]
        for line in lines:
            entry, sent = line.split("\t")
            mark = json.loads(sent)["Mark"]
            ids = [entity["ID"] for entity in service.entities(name) if entity["Mark"] == mark]
            created = ["--created-as", json.dumps(ids[0])] if ids else []
            client.run("resolve", name, "--entry", entry, *created, check=True)
            held += 1
    return held


def judge(plan, service, found):
    """INV-1: each change is on the service. Returns how many entities are there twice."""
    there = {}
    for name in ("Orders", "Items"):
        for entity in service.entities(name):
            there.setdefault(entity["Mark"], []).append(entity["Text"])
    found += [f"lost insert {mark}" for mark in plan.created if mark not in there]
    found += [f"lost update {mark}" for mark, text in plan.updated.items() if there.get(mark) != [text]]
    found += [f"lost delete {mark}" for mark in plan.deleted if mark in there]
    return sum(len(texts) - 1 for texts in there.values())


class Cut:
    """One run that is cut, and what came of it."""

    def __init__(self, seed, plan=None, way=None, mode=None, level=None, kind=None, nth=None, plant=None):
        rng = random.Random(seed)
        self.is_small = nth is not None
        self.plan = plan or rng.choice(["load", "delta", "push", "push", "push"])
        self.way, self.mode, self.level = way or rng.choice(WAYS), mode or rng.choice(MODES), level or rng.choice(LEVELS)
        self.found, self.cuts, self.held, self.double, self.requests = [], 0, 0, 0, 0
        self.plant = plant
        first = {"load": 1, "delta": 1 + LOADED // PAGE, "push": 1 + FORMER}[self.plan]
        cuts = [(kind, first + nth)] if self.is_small else [(rng.choice([*KINDS, "kill-time"]), first + rng.randint(0, 6)) for _ in range(rng.randint(1, 2))]
        self.what = f"{self.plan} {self.way[0]} {self.way[1]} {self.mode} {self.level}: " + ", ".join(f"{kind} {nth - first}" for kind, nth in cuts)
        rules = [rule for kind, nth in cuts if kind != "kill-time" for rule in cut_rules(rng, kind, nth)]
        times = [rng.uniform(0.02, 0.4) if kind == "kill-time" else None for kind, _ in cuts]
        if self.plan != "push" and not self.is_small:
            rules += other_users(rng, self.level, range(LOADED))
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            service = Service(folder, metadata(self.level, self.way[0]), data_file(self.level, self.way[0], self.plan), rules)
            try:
                client = Client(folder, service, self.way, self.level)
                self.push(rng, client, service, times) if self.plan == "push" else self.load(client, service, times)
                self.requests = service.requests() - first + 1
            finally:
                service.close()

    def load(self, client, service, times):
        if self.plan == "delta" and not client.load("Orders"):
            self.found.append("the first load failed")
        for turn in range(12):
            done = client.load("Orders", kill_after=times[turn] if turn < len(times) else None)
            self.cuts += not done
            if done and turn >= len(times) and service.requests() >= LAST_RULE + LOADED // PAGE:
                break
        # What changed during the last run comes with the next one.
        if not client.load("Orders") or not client.load("Items"):
            self.found.append("the last load failed")
        compare(client, service, self.found, self.plant)

    def push(self, rng, client, service, times):
        if not client.load("Orders") or not client.load("Items"):
            self.found.append("the first load failed")
        plan = Plan(rng, self.level, self.is_small)
        plan.make(client)
        for turn in range(12):
            status, out, _ = client.run("push", service.root, "--mode", self.mode, "--batch-size", rng.choice([2, 100]), kill_after=times[turn] if turn < len(times) else None)
            self.cuts += status != 0
            self.found += [line for line in out.split("\n") if " refused" in line]
            if status == 0:
                held = resolve(client, service)
                self.held += held
                if held == 0 and not any(row["__local__"] for name in ("Orders", "Items") for row in client.rows()[0][name]):
                    break
        for _ in range(8):
            if all([client.load("Orders"), client.load("Items")]):
                break
        self.double = judge(plan, service, self.found)
        if self.double and self.level != "D":
            self.found.append(f"{self.double} entities are there twice")
        compare(client, service, self.found, self.plant)


def small_cuts(plan):
    """Every cut of a small plan in one way, mode and level: each request, cut in each way."""
    what, way, mode, level = plan
    cuts = []
    for kind in KINDS:
        nth, requests = 0, 1
        while nth < requests:
            cut = Cut(nth, what, way, mode, level, kind, nth)
            # Repetitions make further requests; those of the plan are what is cut.
            requests = min(cut.requests, 4 if mode == "single" and what == "push" else 2 if what == "push" else 6)
            cuts.append((f"small {nth}", cut))
            nth += 1
    return cuts


def random_cut(seed):
    return [(f"seed {seed}", Cut(seed))]


def all_cuts(count, seed, is_small, jobs):
    """The cuts with their names, in the order of plans or seeds, `jobs` at the same time."""
    plans = [("push", way, mode, level) for way in WAYS for mode in MODES for level in LEVELS] + [("load", way, "single", "C") for way in WAYS]
    seeds = range(seed * 1_000_003, seed * 1_000_003 + count)
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        for cuts in pool.map(small_cuts, plans) if is_small else pool.map(random_cut, seeds):
            yield from cuts


def run(count, seed, is_small, jobs):
    """Runs cuts, prints those with findings and what was counted. Returns the exit status."""
    start, cuts, bad, runs = time.monotonic(), 0, 0, 0
    held, double = dict.fromkeys(LEVELS, 0), dict.fromkeys(LEVELS, 0)
    for name, cut in all_cuts(count, seed, is_small, jobs):
        runs, cuts = runs + 1, cuts + cut.cuts
        held[cut.level] += cut.held
        double[cut.level] += cut.double
        if cut.found:
            bad += 1
            print(f"{name}, {cut.what}: {len(cut.found)} findings: {'; '.join(cut.found[:5])}", flush=True)
    lines = [", ".join(f"{level} {counts[level]}" for level in LEVELS) for counts in (held, double)]
    print(f"{runs} runs, {cuts} cut, {bad} with findings (lost, stale or double); held: {lines[0]}; created twice: {lines[1]}; {time.monotonic() - start:.0f} s")
    if cuts < runs // 4:
        print("too few runs were cut: the run shows nothing")
        return 2
    if runs >= 300 and double["D"] == 0:
        print("level D created no entity twice: the run could not fail")
        return 2
    return 1 if bad else 0


def self_test(seed):
    """Plants losses. Returns 1 if one is not found."""
    plants = {
        "lost row": lambda rows: rows["Orders"].pop(),
        "stale": lambda rows: rows["Orders"][0].update(Text="other"),
        "rows of Orders too many": lambda rows: rows["Orders"].append(rows["Orders"][0]),
        "ghost": lambda rows: rows["Orders"].append({**rows["Orders"][0], "ID": "gone"}),
        "dirty": lambda rows: rows["Orders"][0].update(__local__=True),
    }
    missed = [f"{word} in {plan}" for plan in ("load", "push") for word, plant in plants.items() if not any(word in text for text in Cut(seed, plan, plant=plant).found)]
    print("self-test: " + (f"not found: {', '.join(missed)}" if missed else "all planted faults were found"))
    return 1 if missed else 0
