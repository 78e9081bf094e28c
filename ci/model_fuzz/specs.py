"""Random query specs over what a soup holds."""

from .json_text import Num
from .values import NUMBERS, NUMERIC_TEXTS, WORDS


def some_value(rng, soup, path):
    """A key: mostly one that is there."""
    held = [entry.columns.get(path) for entry in soup.entries.values() if entry.columns.get(path) is not None]
    if held and rng.random() < 0.8:
        value = rng.choice(held)
        if isinstance(value, str):
            return value
        if isinstance(value, int):
            return Num(str(value)) if rng.random() < 0.6 else str(value)
        return Num(repr(value))
    return rng.choice([rng.choice(WORDS), Num(rng.choice(NUMBERS)), rng.choice(NUMERIC_TEXTS), True])


def pattern(rng, soup, path):
    text = some_value(rng, soup, path)
    text = text.raw if isinstance(text, Num) else str(text)
    begin, end = sorted((rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)))
    part = text[begin:end]
    if part and rng.random() < 0.3:
        at = rng.randrange(len(part))
        part = part[:at] + rng.choice("_%") + part[at + 1 :]
    if rng.random() < 0.3:
        part = part.swapcase()
    return rng.choice(["", "%", "%"]) + part + rng.choice(["", "%", "%"])


def match_term(rng, soup, paths):
    word = rng.choice(
        [
            "red",
            "Red",
            "fox",
            "foxes",
            "grey",
            "black",
            "cat",
            "cafe",
            "café",
            "the",
            "x",
            "7",
            "true",
            "name",
            "ключ",
            "hi",
        ]
    )
    kind = rng.random()
    if kind < 0.2:
        word = word[: rng.randrange(1, len(word) + 1)] + "*"
    elif kind < 0.35:
        word = rng.choice(['"the red fox"', '"red fox"', '"black cat"', '"fox red"', '"7 5"'])
    if rng.random() < 0.25:
        word = "{%s:%s}:%s" % (soup.name, rng.choice(paths), word)
    return word


def match_expression(rng, soup, depth=0):
    paths = [path for path in soup.full_text_paths()]
    kind = rng.random()
    if depth > 2 or kind < 0.4:
        return match_term(rng, soup, paths)
    sides = [match_expression(rng, soup, depth + 1) for _ in range(rng.choice([2, 2, 3]))]
    if depth > 0 or rng.random() < 0.3:
        sides = ["(%s)" % side if " " in side and not side.startswith('"') else side for side in sides]
    if kind < 0.55 and all(" " not in side or side[0] == "(" for side in sides):
        return " ".join(sides)
    return (" %s " % rng.choice(["AND", "OR", "NOT"])).join(sides)


def query_spec(rng, soup):
    paths = [path for path, _ in soup.specs]
    spec = {"queryType": rng.choice(["all", "exact", "exact", "range", "range", "like", "like", "match"])}
    kind = spec["queryType"]
    full_text = soup.full_text_paths()
    path = rng.choice(paths)
    if kind == "match":
        if not full_text:
            kind = spec["queryType"] = "exact"
        else:
            spec["matchKey"] = match_expression(rng, soup)
            if rng.random() < 0.6:
                spec["indexPath"] = path = rng.choice(full_text)
    if kind == "exact":
        spec.update(indexPath=path, matchKey=some_value(rng, soup, path))
        if rng.random() < 0.05:
            spec.update(indexPath="_soupEntryId", matchKey=Num(str(rng.randrange(1, soup.last_id + 2))))
    elif kind == "range":
        spec["indexPath"] = path
        for name in ("beginKey", "endKey"):
            if rng.random() < 0.75:
                spec[name] = some_value(rng, soup, path)
    elif kind == "like":
        spec.update(indexPath=path, likeKey=pattern(rng, soup, path))
    if rng.random() < 0.75:
        spec["orderPath"] = rng.choice(paths + ["_soupEntryId", "_soupLastModifiedDate"])
    if rng.random() < 0.5 and ("orderPath" in spec or "indexPath" in spec):
        spec["order"] = rng.choice(["ascending", "descending"])
    if rng.random() < 0.35:
        spec["selectPaths"] = [
            rng.choice(paths + ["_soupEntryId", "_soup", "_soupLastModifiedDate", "_soupCreatedDate"])
            for _ in range(rng.randrange(1, 4))
        ]
    if rng.random() < 0.9:
        spec["pageSize"] = rng.choice([1, 2, 3, 5, 50])
    return spec
