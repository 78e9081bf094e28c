#!/usr/bin/env node
// A driver to start from: it passes the ten cases of first-steps.json with a store made of maps.
//
//     soup conform --driver 'node Corpora/drivers/skeleton.mjs' Corpora/first-steps.json
//
// Copy it, and replace the soups by your implementation. FORMAT.md says what each call has to do.
import { createInterface } from "node:readline";

/** A refusal: a code of the table in FORMAT.md, and a message for people. */
class Fault extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

let now, soups, cursors; // what `reset` sets back. TODO: more than one store

function soupOf(args) {
  const soup = soups.get(args.soupName);
  if (!soup) throw new Fault("soupNotFound", `no soup ${args.soupName}`);
  return soup;
}

// Values. TODO: arrays in paths, and what the types other than string and integer hold ("What an index holds").

const SYSTEM = ["_soup", "_soupEntryId", "_soupLastModifiedDate"];

function valueAt(entry, path) {
  if (path === "_soup") return entry;
  let value = entry;
  for (const name of path.split(".")) {
    const isObject = value !== null && typeof value === "object" && !Array.isArray(value);
    value = isObject && Object.hasOwn(value, name) ? value[name] : null;
  }
  return value;
}

/** Null first, then numbers by value, then text by its bytes. */
function compare(a, b) {
  const rank = (value) => (value === null ? 0 : typeof value === "number" ? 1 : 2);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (rank(a) === 1) return a - b;
  return rank(a) === 0 ? 0 : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

// Queries. TODO: kinds like and match; keys of another type than the index ("Keys").

const NEEDS = { all: [], exact: ["indexPath", "matchKey"], range: ["indexPath"] };

/** All entries that a query spec finds, in order. */
function found(args) {
  const soup = soupOf(args);
  const spec = args.querySpec ?? {};
  const needs = Object.hasOwn(NEEDS, spec.queryType) ? NEEDS[spec.queryType] : null;
  if (!needs || needs.some((key) => (spec[key] ?? null) === null)) {
    throw new Fault("invalidQuerySpec", "an unknown kind, or a missing key");
  }
  if ((spec.pageSize ?? 10) < 1) throw new Fault("invalidPageSize", "a page has at least one entry");
  const path = spec.indexPath;
  const order = spec.orderPath ?? (spec.order ? path : null) ?? "_soupEntryId";
  const indexed = [...soup.specs.map((index) => index.path), ...SYSTEM];
  for (const used of [order, ...(needs.length ? [path] : []), ...(spec.selectPaths ?? [])]) {
    if (!indexed.includes(used)) throw new Fault("pathNotIndexed", `no index on ${used}`);
  }
  const matches = (entry) => {
    if (spec.queryType === "all") return true;
    const value = valueAt(entry, path);
    if (value === null) return false;
    if (spec.queryType === "exact") return compare(value, spec.matchKey) === 0;
    const [begin, end] = [spec.beginKey ?? value, spec.endKey ?? value]; // an open bound includes everything
    return compare(value, begin) >= 0 && compare(value, end) <= 0;
  };
  const direction = spec.order === "descending" ? -1 : 1;
  const byOrder = (a, b) => compare(valueAt(a, order), valueAt(b, order)) || a._soupEntryId - b._soupEntryId;
  return [...soup.entries.values()].filter(matches).sort((a, b) => direction * byOrder(a, b));
}

const CALLS = {
  hello: () => ({ name: "skeleton-js", version: "1", format: 1, capabilities: ["cursors"] }),
  reset() {
    now = 1_600_000_000_000;
    soups = new Map();
    cursors = 0;
    return true;
  },
  registerSoup(args) {
    const { soupName: name, indexSpecs: specs } = args; // TODO: soupSpec
    if (typeof name !== "string" || !name || /[{}:\0]/.test(name)) throw new Fault("invalidSoupName", "no name for a soup");
    if (!specs?.length) throw new Fault("noIndexSpecs", "a soup needs an index spec");
    if (specs.some((spec) => !spec.path || !["string", "integer", "floating"].includes(spec.type))) {
      throw new Fault("invalidIndexSpec", "an index spec has a path and a type");
    }
    // An id is never given twice, so the last one is kept.
    if (!soups.has(name)) soups.set(name, { specs: specs.map(({ path, type }) => ({ path, type })), entries: new Map(), lastId: 0 });
    return name;
  },
  upsertSoupEntries(args) {
    const soup = soupOf(args);
    const work = { entries: new Map(soup.entries), lastId: soup.lastId }; // a bad entry undoes the whole call
    const stored = args.entries.map((entry) => {
      if (entry === null || typeof entry !== "object" || Array.isArray(entry)) throw new Fault("invalidEntry", "an entry is an object");
      const id = work.entries.has(entry._soupEntryId) ? entry._soupEntryId : ++work.lastId;
      work.entries.set(id, { ...entry, _soupEntryId: id, _soupLastModifiedDate: now });
      return work.entries.get(id);
    });
    Object.assign(soup, work);
    return stored;
  },
  removeFromSoup(args) {
    const { entries } = soupOf(args);
    for (const id of args.entryIds ?? found(args).map((entry) => entry._soupEntryId)) entries.delete(id);
    return "OK";
  },
  querySoup(args) {
    const rows = found(args);
    const { pageSize = 10, selectPaths } = args.querySpec;
    cursors += 1; // TODO: keep the query, for the calls that move a cursor
    const page = rows.slice(0, pageSize).map((entry) => (selectPaths ? selectPaths.map((path) => valueAt(entry, path)) : entry));
    const totals = { totalEntries: rows.length, totalPages: Math.ceil(rows.length / pageSize) };
    return { cursorId: cursors, currentPageIndex: 0, pageSize, ...totals, currentPageOrderedEntries: page };
  },
  soupExists: (args) => soups.has(args.soupName),
  getAllSoupNames: () => [...soups.keys()],
  getSoupIndexSpecs: (args) => soupOf(args).specs,
  retrieveSoupEntries(args) {
    const { entries } = soupOf(args);
    return [...new Set(args.entryIds)].filter((id) => entries.has(id)).map((id) => entries.get(id));
  },
  countQuery: (args) => found(args).length,
};
const WRITING = ["registerSoup", "upsertSoupEntries", "removeFromSoup"]; // they move the clock, also when they fail

CALLS.reset();
// TODO: JSON.parse makes every number a double; a reader that keeps the digits passes more cases.
for await (const line of createInterface({ input: process.stdin })) {
  const { id, call, args = {} } = JSON.parse(line);
  let answer;
  try {
    if (!Object.hasOwn(CALLS, call)) throw new Fault("unsupported", `no call ${call}`);
    answer = { id, returns: CALLS[call](args) };
  } catch (error) {
    // A mistake of the driver must be an answer too, or the runner would wait.
    answer = { id, fails: { code: error.code ?? "driverError", message: String(error.message) } };
  }
  if (WRITING.includes(call)) now += 1;
  process.stdout.write(JSON.stringify(answer) + "\n");
}
