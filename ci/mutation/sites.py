"""Where a source can be given a small fault, and how each is written.

A fault stays on its line, so that lines of compiler errors lead back to it. `{n}` in a fault is its number.
"""

import re

from .masking import masked


class Site:
    def __init__(self, target, path, line, start, end, kind, fault, shown):
        self.target, self.path, self.line = target, path, line
        self.start, self.end = start, end
        self.kind, self.fault, self.shown = kind, fault, shown
        self.number = 0

    @property
    def planted(self):
        return self.fault.replace("{n}", str(self.number))


# Each operator is declared once for each fault: Swift cannot give an operator a further argument.
SWAPS = {"<": ("bound", "<="), "<=": ("bound", "<"), ">": ("bound", ">="), ">=": ("bound", ">"),
         "==": ("equality", "!="), "!=": ("equality", "=="), "&&": ("logic", "||"), "||": ("logic", "&&")}

OPERATOR = re.compile(r"(?<=[\w)\]?!]) (<=|>=|==|!=|&&|\|\||<|>) (?=[\w(.\[!-])")
NUMBER = re.compile(r"(?<![\w.$#])(\d+)(?![\w.]*\w|\s*:)")
CONDITION = re.compile(r"^(\s*(?:\} else )?(?:if|guard|while) )(.+?)( else)? \{")
STATEMENT = re.compile(r"^(\s+)((?:try |_ = try |await )*[a-z_][\w.?]*\(.*\))\s*$")
# These change how much memory is taken at once, and what builds for debugging count: not what anything does.
COSTS = re.compile(r"\breserve\w*\(|\bStepCounter\.")
TRANSACTION = re.compile(r"\bsession\.transaction(?=\(| \{)")
DECLARATION = re.compile(r"^\s*(@|#|import |public import |case |package import |infix |precedencegroup |typealias |associatedtype )")
SIGNATURE = re.compile(r"\b(func|init|subscript|extension|struct|class|enum|protocol|where)\b")


def sites(target, path, text):
    """All sites of a file, in the order of its lines."""
    found = []
    code = masked(text)
    offset = 0
    before = ""
    for number, line in enumerate(code.split("\n"), 1):
        if not DECLARATION.match(line) and not COSTS.search(line):
            original = text[offset:offset + len(line)]
            found += in_line(target, path, number, offset, line, original, before)
        if line.strip():
            before = line.rstrip()
        offset += len(line) + 1
    return found


def in_line(target, path, number, offset, line, original, before):
    def site(start, end, kind, fault, shown):
        return Site(target, path, number, offset + start, offset + end, kind, fault, shown)

    is_signature = SIGNATURE.search(line)
    if not is_signature:
        for found in OPERATOR.finditer(line):
            if re.match(r"(nil|\.)", line[found.end():]):
                continue
            kind, other = SWAPS[found.group(1)]
            yield site(found.start(1), found.end(1), kind, "@" + found.group(1), "%s -> %s" % (found.group(1), other))
        found = CONDITION.match(line)
        if found and not re.search(r"\b(let|var|case|try|await)\b|#|,", found.group(2)):
            condition = original[found.start(2):found.end(2)]
            yield site(found.start(2), found.end(2), "condition", "isMutant({n}) != (%s)" % condition, "negated: " + condition)
        found = STATEMENT.match(line)
        if found and is_statement(found.group(2), before):
            statement = original[found.start(2):found.end(2)]
            yield site(found.start(2), found.end(2), "statement", "if !isMutant({n}) { %s }" % statement, "dropped: " + statement)
        for found in TRANSACTION.finditer(line):
            yield site(found.end(), found.end(), "transaction", "OrNot{n}", "without a transaction")
    for found in NUMBER.finditer(line):
        value = int(found.group(1))
        if value < 2**31:
            other = value + 1
            yield site(found.start(1), found.end(1), "constant", "mutated({n}, %d, %d)" % (value, other), "%d -> %d" % (value, other))


def is_statement(text, before):
    """Whether a line that looks like a call is a statement of its own and not part of an expression or a declaration."""
    if re.match(r"(self|super)\.init|init\(|return\b|fatalError|precondition|switch|if\b|guard\b|while\b|for\b|func\b|defer", text):
        return False
    depth = 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth < 0:
            return False
    return depth == 0 and not re.search(r"[=(,\[:+?&|-]$|\breturn$|\bin$|\?\s|->.*\{$", before)
