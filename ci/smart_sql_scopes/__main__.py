"""Runs drawn texts as Smart SQL and over plain tables, and compares the rows."""

import argparse
import json
import random
import sqlite3
import sys

from model_fuzz.driver import Driver

from .texts import Texts, plain, smart

S = [{"k": "a", "n": 1, "j": "x"}, {"k": "b", "n": 2, "j": "y"}, {"k": "c", "n": 3, "j": "x"}]
B = [{"k": "a", "j": "x"}, {"k": "c", "j": "z"}]
# A join of many tables has more rows than are worth comparing.
MOST_ROWS = 400


def plain_tables():
    database = sqlite3.connect(":memory:")
    database.execute("create table s (s_id integer primary key, s_k text, s_n integer, s_j)")
    database.execute("create table b (b_id integer primary key, b_k text, b_j)")
    database.executemany("insert into s (s_k, s_n, s_j) values (:k, :n, :j)", S)
    database.executemany("insert into b (b_k, b_j) values (:k, :j)", B)
    return database


def soups(driver):
    for name, paths, entries in (("s", "knj", S), ("b", "kj", B)):
        types = {"k": "string", "n": "integer", "j": "json1"}
        specs = [{"path": path, "type": types[path]} for path in paths]
        returned(driver, "registerSoup", {"soupName": name, "indexSpecs": specs})
        returned(driver, "upsertSoupEntries", {"soupName": name, "entries": entries})


def returned(driver, call, args):
    answer = driver.send(call, args)
    if "returns" not in answer:
        sys.exit("smart-sql-scopes: %s fails: %s" % (call, answer))
    return answer["returns"]


def rows_of(database, text):
    """The rows; None if SQLite refuses the text."""
    try:
        return [list(row) for row in database.execute(text).fetchmany(MOST_ROWS + 1)]
    except sqlite3.Error:
        return None


def are_same(rows, others, is_ordered):
    if not is_ordered:
        rows, others = sorted(map(json.dumps, rows)), sorted(map(json.dumps, others))
    return rows == others


def main():
    parser = argparse.ArgumentParser(prog="ci/smart-sql-scopes")
    parser.add_argument("--program", required=True)
    parser.add_argument("--backend", default="plain", choices=("plain", "cipher-off", "cipher"))
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    print("seed %d" % options.seed)
    texts, database = Texts(options.seed), plain_tables()
    taken = lenient = 0
    differences = []
    driver = Driver(options.program, options.backend)
    try:
        soups(driver)
        for _ in range(options.count):
            text, is_ordered = texts.next()
            rows = rows_of(database, plain(text))
            if rows is not None and len(rows) > MOST_ROWS:
                continue
            answer = driver.send("smartRows", {"smartSql": smart(text), "limit": MOST_ROWS + 1})
            found = answer.get("returns")
            if rows is None:
                lenient += found is not None
                continue
            taken += 1
            if found is None or not are_same(rows, found, is_ordered):
                differences.append((smart(text), plain(text), rows, answer))
    finally:
        driver.close()
    for lines in sorted(differences, key=lambda lines: len(lines[0]))[:10]:
        print("\n".join(str(line) for line in lines) + "\n")
    print("%d texts: SQLite takes %d, of which %d differ; of the others %d give rows"
          % (options.count, taken, len(differences), lenient))
    sys.exit(1 if differences else 0)


main()
