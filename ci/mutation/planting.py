"""Writes faults into a copy of the sources, with the switch that turns one of them on."""

import os

SWITCH = """#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The number of the fault that is turned on; 0 is none.
private let turnedOn: Int = getenv("SOUP_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0

/// Where the numbers of the faults that are reached are written; -1 is nowhere.
private let reached: Int32 = getenv("SOUP_MUTANTS_REACHED").map { open($0, O_WRONLY | O_APPEND | O_CREAT, 0o600) } ?? -1

/// Whether the number of a fault was written. Two threads may both write it.
private nonisolated(unsafe) let isWritten: UnsafeMutablePointer<Bool> = {
    let flags = UnsafeMutablePointer<Bool>.allocate(capacity: @count@)
    flags.initialize(repeating: false, count: @count@)
    return flags
}()

func isMutant(_ number: Int) -> Bool {
    if reached >= 0, !isWritten[number] {
        isWritten[number] = true
        var line = Array("\(number)\\n".utf8)
        _ = write(reached, &line, line.count)
    }
    return number == turnedOn
}

func mutated<T: ExpressibleByIntegerLiteral>(_ number: Int, _ value: T, _ other: T) -> T {
    isMutant(number) ? other : value
}
"""

COMPARISON = """infix operator {name}: ComparisonPrecedence
func {name} <T: {protocol}>(a: T, b: T) -> Bool {{ isMutant({n}) ? a {other} b : a {operator} b }}
"""

LOGIC = """infix operator {name}: {precedence}
func {name} (a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool {{
    isMutant({n}) ? try a {other} b() : try a {operator} b()
}}
"""

TRANSACTION = """extension StoreSession {{
    func transactionOrNot{n}<R>(waiting: Bool = false, _ body: () throws(Fault) -> R) throws(Fault) -> R {{
        isMutant({n}) ? try body() : try transaction(waiting: waiting, body)
    }}
}}
"""


def operator_name(number):
    """A name of operator characters for a number: base 4, after a prefix that nothing else uses."""
    digits = ""
    while True:
        digits += "^%*~"[number % 4]
        number //= 4
        if not number:
            return "<^>" + digits + "<"


def declaration(site):
    from .sites import SWAPS

    values = {"n": site.number, "name": operator_name(site.number)}
    if site.kind == "transaction":
        return TRANSACTION.format(**values)
    if not site.fault.startswith("@"):
        return ""
    operator = site.fault[1:]
    values.update(operator=operator, other=SWAPS[operator][1])
    if site.kind == "logic":
        precedence = "LogicalConjunctionPrecedence" if operator == "&&" else "LogicalDisjunctionPrecedence"
        return LOGIC.format(precedence=precedence, **values)
    return COMPARISON.format(protocol="Equatable" if site.kind == "equality" else "Comparable", **values)


def plant(tree, originals, planted):
    """Writes the files that have faults, and the switch of each target. `originals` has the texts of all files."""
    by_path = {}
    for site in planted:
        by_path.setdefault(site.path, []).append(site)
    for path, text in originals.items():
        for site in sorted(by_path.get(path, []), key=lambda site: -site.start):
            fault = operator_name(site.number) if site.fault.startswith("@") else site.planted
            text = text[:site.start] + fault + text[site.end:]
        write(os.path.join(tree, path), text)
    for target in {os.path.dirname(path).split("/")[1] for path in originals}:
        declarations = "".join(declaration(site) for site in planted if site.target == target)
        imports = "import Soups\n" if target == "OfflineStore" else ""
        switch = SWITCH.replace("@count@", str(1 + max(site.number for site in planted)))
        write(os.path.join(tree, "Sources", target, "MutantSwitch.swift"), imports + switch + declarations)


def write(path, text):
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
