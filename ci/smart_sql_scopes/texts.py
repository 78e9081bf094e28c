"""Draws SELECT texts over two soups, each in the form of Smart SQL and in that of plain tables."""

import random

SOUPS = ("s", "b")
PATHS = {"s": ("k", "n", "j", "_soupEntryId"), "b": ("k", "j", "_soupEntryId")}


class Path:
    """A path of a soup: `{s:k}`, which is the column `s_k` of the plain table `s`."""

    def __init__(self, soup, path):
        self.smart = "{%s:%s}" % (soup, path)
        self.plain = "%s_%s" % (soup, "id" if path == "_soupEntryId" else path)


class Table:
    def __init__(self, soup):
        self.smart = "{%s}" % soup
        self.plain = soup


class Texts:
    """Texts are lists of strings, paths and tables. A drawn list of tables comes with the soups among them."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.aliases = 0

    def next(self):
        """A text, and whether its rows come in the order of their only column."""
        self.aliases = 0
        if self.chance(0.45):
            return self.compound()
        text, soups = self.select(2, columns=2)
        if self.chance(0.4):
            text += [" order by ", self.path(soups)]
        return text, False

    def chance(self, probability):
        return self.random.random() < probability

    def alias(self):
        self.aliases += 1
        return "q%d" % self.aliases

    def path(self, soups):
        """A path, mostly of one of some soups."""
        soup = self.random.choice(soups if soups and self.chance(0.93) else SOUPS)
        return Path(soup, self.random.choice(PATHS[soup]))

    def compound(self):
        text, _ = self.select(2, columns=1)
        for _ in range(self.random.choice((1, 1, 2))):
            word = self.random.choice((" union all ", " union ", " except ", " intersect "))
            text = text + [word] + self.select(2, columns=1)[0]
        if self.chance(0.2):
            return text, False
        paths = [part for part in text if isinstance(part, Path)]
        text += [" order by ", self.random.choice(paths) if self.chance(0.8) else "1"]
        return text + ([" desc"] if self.chance(0.3) else []), True

    def select(self, depth, columns):
        tables, soups = self.tables(depth, [])
        items = self.item(depth, soups, [])
        if columns > 1 and self.chance(0.5):
            items += [", "] + self.item(depth, soups, [])
        return ["select "] + items + [" from "] + tables + self.condition(soups, []), soups

    def item(self, depth, own, outer):
        """A path, or an expression with one. `outer` are the soups of the SELECTs around."""
        kind = self.random.random()
        if kind < 0.72 or depth <= 0:
            return [self.path(own if self.chance(0.85) or not outer else outer)]
        if kind < 0.82:
            return ["coalesce(", self.path(own), ", 'q')"]
        tables, soups = self.tables(depth - 1, own + outer)
        value = self.path(soups if self.chance(0.7) else own + outer)
        return ["(select max(", value, ") from "] + tables + self.condition(soups, own + outer) + [")"]

    def condition(self, own, outer):
        kind = self.random.random()
        if kind < 0.6:
            return []
        if kind < 0.8:
            return [" where ", self.path(own), " = ", self.path(own + outer)]
        return [" where ", self.path(own), " is not null"]

    def tables(self, depth, outer):
        text, soups = self.table(depth, outer)
        while self.chance(0.35):
            joined, more = self.table(depth, outer)
            if set(soups) & set(more) and self.chance(0.9):
                continue  # Most texts with one soup twice are ambiguous.
            text = text + [self.random.choice((", ", " join ", " cross join "))] + joined
            soups = soups + more
        return text, soups

    def table(self, depth, outer):
        kind = self.random.random()
        soup = self.random.choice("ssb")
        if kind < 0.35 or (kind >= 0.7 and depth <= 0):
            return [Table(soup)], [soup]
        if kind < 0.55:
            return [Table(soup), " " + self.alias()], [soup]
        if kind < 0.63:
            return ["main.", Table(soup)] + ([" as " + self.alias()] if self.chance(0.5) else []), [soup]
        if kind < 0.7:
            return ["(", Table(soup), ")"] + ([" " + self.alias()] if self.chance(0.5) else []), [soup]
        tables, soups = self.tables(depth - 1, outer)
        inner = ["select "] + self.item(depth - 1, soups, outer) + [" as p from "] + tables
        if kind < 0.85:
            order = [" order by 1"] if self.chance(0.2) else []
            return ["("] + inner + self.condition(soups, outer) + order + [") " + self.alias()], []
        name = self.alias()
        return ["(with %s as (" % name] + inner + [") select p from %s) " % name + self.alias()], []


def smart(text):
    return "".join(part if isinstance(part, str) else part.smart for part in text)


def plain(text):
    return "".join(part if isinstance(part, str) else part.plain for part in text)
