"""Checks that the packages below ci/ can build the layers that they link from Sources/: each layer that one imports is a dependency there too.

Usage: linked_layers.py FOLDER...    folders with a Package.swift. Exit codes: 0 all can; 1 one lacks a layer.
"""

import pathlib
import re
import sys

IMPORT = re.compile(r"^(?:@\w+ )?(?:public |package )?import (?:(?:struct|enum|class|func|protocol) )?(\w+)", re.MULTILINE)
TARGET = re.compile(r'(?:layer|\w*[tT]arget|\.systemLibrary)\(\s*(?:name: )?"(\w+)"(?:,\s*(?:needs|dependencies): \[([^\]]*)\])?')


def main():
    top = pathlib.Path(__file__).resolve().parent.parent.parent
    layers = {path.name for path in (top / "Sources").iterdir()}
    status = 0
    for folder in map(pathlib.Path, sys.argv[1:]):
        manifest = (folder / "Package.swift").read_text(encoding="utf-8")
        needs = {name: set(re.findall(r'"(\w+)"', list_ or "")) for name, list_ in TARGET.findall(manifest)}
        for link in sorted(path for path in (folder / "Sources").iterdir() if path.is_symlink()):
            imported = {
                name for path in link.resolve().rglob("*.swift") for name in IMPORT.findall(path.read_text(encoding="utf-8"))
            }
            for missing in sorted((imported & layers) - needs.get(link.name, set()) - {link.name}):
                print(f"{folder}: {link.name} imports {missing}, which the manifest does not give it", file=sys.stderr)
                status = 1
    return status if sys.argv[1:] else 2


sys.exit(main())
