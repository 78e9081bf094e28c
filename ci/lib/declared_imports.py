"""Checks that each target of the package declares the targets that its files import, and imports those that it declares.

The compiler accepts the import of a target that only another dependency declares, so that a layer could use one that its row in Package.swift does not name.

Usage: declared_imports.py    Exit codes: 0 they agree; 1 they do not, with the targets.
"""

import json
import pathlib
import re
import subprocess
import sys

IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\(.*?\))?\s+)*(?:public |package |internal )?import (?:(?:struct|enum|class|protocol|func|var|let|typealias) )?(\w+)",
    re.MULTILINE,
)
# Every test target may use it, and Package.swift gives it to all of them.
SHARED = {"TestSupport"}


def main():
    top = pathlib.Path(__file__).resolve().parent.parent.parent
    manifest = json.loads(subprocess.run(["swift", "package", "dump-package"], cwd=top, check=True, capture_output=True).stdout)
    targets = {target["name"]: target for target in manifest["targets"]}
    status = 0
    for name, target in targets.items():
        folder = top / (target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{name}")
        files = sorted(folder.rglob("*.swift"))
        if not files:
            continue
        declared = {given["byName"][0] for given in target["dependencies"] if "byName" in given}
        imported = {module: file for file in files for module in IMPORT.findall(file.read_text(encoding="utf-8"))}
        for module in sorted((imported.keys() & targets.keys()) - declared - {name}):
            print(f"{imported[module].relative_to(top)}: imports {module}, which {name} does not declare", file=sys.stderr)
            status = 1
        for module in sorted(declared - imported.keys() - SHARED):
            # A program is declared to be built, and started by a test.
            if targets[module]["type"] != "executable":
                print(f"Package.swift: {name} declares {module}, which none of its files imports", file=sys.stderr)
                status = 1
    return status


sys.exit(main())
