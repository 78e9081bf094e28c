"""Reads the public symbols of the products from a debug build, as symbol graphs of the compiler.

A product's interface is what its own module declares as public, and what the module exports by name from other modules of the
package (`@_exported public import struct Soups.Fault`). Source: github.com/swiftlang/swift-docc-symbolkit, openapi.yaml.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = TOP / ".build" / "debug"
PRODUCTS = ("OfflineCore", "OData", "SOQL", "OfflineSync", "OfflineOData", "MockODataService")
EXPORT = re.compile(r"@_exported public import (?:struct|class|enum|protocol|func|typealias) (\w+)\.(\w+)")


def target():
    return json.loads(subprocess.check_output(["swiftc", "-print-target-info"]))["target"]["triple"]


def run(command, module):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"cannot read the module {module}; run `swift build` first\n{result.stderr}")


def graphs(module, folder):
    """The symbol graphs of a module: its own, and those of its extensions of types of other modules."""
    command = ["swift", "symbolgraph-extract", "-module-name", module, "-target", target(), "-I", str(BUILD / "Modules")]
    for name in ("CSQLite", "CSQLiteLinked", "CZlib"):
        for modulemap in (BUILD / f"{name}.build" / "module.modulemap", TOP / "Sources" / name / "module.modulemap"):
            if modulemap.exists():
                command += ["-Xcc", f"-fmodule-map-file={modulemap}"]
        command += ["-Xcc", f"-I{TOP / 'Sources' / name / 'include'}"]
    run(command + ["-minimum-access-level", "public", "-output-dir", folder], module)
    paths = sorted(pathlib.Path(folder).glob(f"{module}*.symbols.json"))
    found = [json.loads(path.read_text()) for path in paths if path.name.split(".")[0].split("@")[0] == module]
    if module == "OData":
        found.append(version_graph(folder))
    return found


def version_graph(folder):
    """The graph of ODataVersion, which the compiler leaves out.

    It takes every declaration whose name begins with the module's name and Version for the version number of a framework. So
    the file, which imports nothing, is compiled as a module of another name of the same length, and then renamed.
    """
    source = TOP / "Sources" / "OData" / "Version" / "ODataVersion.swift"
    command = ["swiftc", "-emit-module", "-module-name", "Other", "-target", target(), "-emit-symbol-graph"]
    command += ["-emit-symbol-graph-dir", folder, "-o", f"{folder}/Other.swiftmodule", str(source)]
    run(command, "OData")
    text = pathlib.Path(folder, "Other.symbols.json").read_text()
    return json.loads(text.replace("5Other", "5OData").replace('"Other"', '"OData"'))


def exports(product):
    """Pairs of a module and the name of a type that the product exports from it."""
    sources = sorted((TOP / "Sources" / product).glob("*.swift"))
    return [pair for source in sources for pair in EXPORT.findall(source.read_text())]


def product_graph(product):
    """One graph with all that the product offers, as if its own module declared it."""
    names = {name for _, name in exports(product)}
    modules = [product] + sorted({module for module, _ in exports(product)})
    symbols, relationships, first = {}, [], None
    with tempfile.TemporaryDirectory() as folder:
        for module in modules:
            for graph in graphs(module, folder):
                first = first or graph
                for symbol in graph["symbols"]:
                    # What the compiler and the standard library add to a type is not written in this package.
                    is_ours = "location" in symbol and "::SYNTHESIZED::" not in symbol["identifier"]["precise"]
                    if is_ours and (module == product or symbol["pathComponents"][0] in names):
                        symbols[symbol["identifier"]["precise"]] = symbol
                relationships += graph["relationships"]
    kept = [r for r in relationships if r["source"] in symbols]
    module = dict(first["module"], name=product)
    return dict(first, module=module, symbols=list(symbols.values()), relationships=kept)
