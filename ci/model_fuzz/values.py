"""Random entries: few distinct values, so that they meet, and the odd ones."""

import json

from .json_text import Num, write

WORDS = [
    "red",
    "Red",
    "fox",
    "grey",
    "black cat",
    "the red fox",
    "foxes",
    "café",
    "ключ",
    "x",
    "",
    "a_b",
    "100%",
    "50% off",
    "it's",
    'say "hi"',
    "z" * 70,
]
NUMBERS = [
    "0",
    "1",
    "2",
    "7",
    "-3",
    "10",
    "7.5",
    "7.0",
    "2.25",
    "-0.5",
    "1e3",
    "100",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551616",
    "1e300",
    "123456789012345678901234567890",
]
NUMERIC_TEXTS = ["7", "10", "7.5", "-3", "1e3", "9007199254740993", "2.250", "0"]
# Names with everything that means something to SQL or to JSON paths; {, } and : cannot be named in Smart SQL.
PATHS = [
    "k",
    "n",
    "flag",
    "addr",
    "addr.city",
    "addr.zip",
    "tags",
    "tags.name",
    "deep.a.b",
    "list.x.y",
    "it's",
    'q"q',
    "a b",
    "k[0]",
    "ключ",
    "$x",
    "a\\b",
]


def scalar(rng):
    kind = rng.random()
    if kind < 0.42:
        return rng.choice(WORDS)
    if kind < 0.72:
        return Num(rng.choice(NUMBERS))
    if kind < 0.82:
        return rng.choice(NUMERIC_TEXTS)
    return rng.choice([True, False]) if kind < 0.92 else None


def plain_scalar(rng):
    """What may be inside arrays: no null at the end of a path (ENT-43 is open), and texts of one spelling only."""
    return rng.choice(
        [rng.choice(["red", "grey", "fox", "black cat"]), Num(rng.choice(["1", "2", "7.5", "10"])), True, False]
    )


def value_for(rng, name):
    """The member of an entry: mostly of the shape that the paths expect."""
    if rng.random() < 0.12:
        return scalar(rng)
    if name == "addr":
        made = {"city": scalar(rng), "zip": scalar(rng)}
        return {k: v for k, v in made.items() if rng.random() < 0.85 and v not in ('say "hi"',)}
    if name == "tags":
        shape = rng.random()
        if shape < 0.3:
            return [plain_scalar(rng) for _ in range(rng.randrange(4))]
        return [
            {"name": plain_scalar(rng)} if rng.random() < 0.8 else {"other": Num("1")} for _ in range(rng.randrange(4))
        ]
    if name == "deep":
        return {
            "a": rng.choice(
                [
                    {"b": scalar(rng)},
                    [{"b": plain_scalar(rng)}, {"c": Num("1")}],
                    {"b": [plain_scalar(rng)]},
                    {},
                    scalar(rng),
                ]
            )
        }
    if name == "list":
        return [{"x": [{"y": plain_scalar(rng)} for _ in range(rng.randrange(3))]} for _ in range(rng.randrange(3))]
    return scalar(rng)


def entry(rng, paths):
    tops = list(dict.fromkeys([path.split(".")[0] for path in paths]))
    made = {name: value_for(rng, name) for name in tops if rng.random() < 0.85}
    if rng.random() < 0.3:
        made["free"] = rng.choice(
            [{"x": [Num("1"), None, {"y": "z"}]}, "text", [], {}, Num("1.50"), "é\n\t\u0001\U0001f98a"]
        )
    if rng.random() < 0.02:
        made["big"] = "b" * rng.choice([5000, 70000])
    return made


def escaped(rng, entries):
    """The text of an array with some names and values of the top level written in escapes."""

    def text(value):
        if not isinstance(value, str) or rng.random() < 0.7:
            return write(value)
        return (
            '"'
            + "".join(
                (
                    "\\u%04x" % ord(c)
                    if ord(c) < 0x10000 and rng.random() < 0.5
                    else json.dumps(c, ensure_ascii=False)[1:-1]
                )
                for c in value
            )
            + '"'
        )

    def member(name, value):
        return text(name) + rng.choice([":", " : "]) + text(value)

    def item(value):
        return "{" + ",".join(member(k, v) for k, v in value.items()) + "}" if isinstance(value, dict) else write(value)

    return "[" + ", ".join(item(value) for value in entries) + "]"
