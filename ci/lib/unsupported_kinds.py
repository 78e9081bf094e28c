"""Prints what OData answers with `unsupported`: asks `soup serve` each call of the vectors that expects it, and shows the messages, with the number
of calls that got each.

Usage: unsupported_kinds.py SOUP FOLDER...    the program, and folders of vectors. Calls that need a store are left out.
Exit codes: 0 all answered `unsupported`; 1 one did not.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys


def calls(folders):
    for path in sorted(path for folder in folders for path in pathlib.Path(folder).rglob("*.json")):
        for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
            for step in case["steps"]:
                if step.get("fails", {}).get("code") == "unsupported" and step["call"] != "odata.querySoup":
                    yield case["id"], step


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    steps = list(calls(sys.argv[2:]))
    requests = "".join(
        json.dumps({"id": number, "call": step["call"], "args": step.get("args", {})}) + "\n"
        for number, (_, step) in enumerate(steps)
    )
    served = subprocess.run([sys.argv[1], "serve"], input=requests, stdout=subprocess.PIPE, text=True, check=True)
    kinds = collections.Counter()
    status = 0
    for answer in map(json.loads, served.stdout.splitlines()):
        name, step = steps[answer["id"]]
        fault = answer.get("fails", {})
        if fault.get("code") != "unsupported":
            print(f"{name}: {step['call']} is answered with {fault.get('code', 'a result')}", file=sys.stderr)
            status = 1
        else:
            kind = re.sub(r"(the function |\$)[\w.]+ (does not exist in version) \S+", r"\1... \2 ...", fault["message"])
            kinds[step["call"], kind] += 1
    for (call, message), count in sorted(kinds.items()):
        print(f"{call:<20} {count:>3}  {message}")
    print(f"{sum(kinds.values())} calls of {len(steps)}, {len(kinds)} kinds")
    return status if sum(kinds.values()) == len(steps) else 1


sys.exit(main())
