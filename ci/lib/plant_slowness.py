"""Plants faults into a copy of the sources: upsert, retrieve and match take longer by as much as PLANTED_FAULT says, `upsert:20` for 20 %.

    plant_slowness.py FOLDER            the folder of a copy, never this one
    plant_slowness.py --check FOLDER    changes nothing; fails if a function is no longer where its fault is planted

Each fault spins for a share of the time that the call took, so that it costs the same on every machine.
"""
import sys

PLACES = [
    ("Sources/OfflineStore/Store/SmartStore+Entries.swift",
     "public func upsert(\n        _ entries: [[UInt8]], into soup: String, externalIdPath: String? = nil\n    ) throws(Fault)", "upsert", "true"),
    ("Sources/OfflineStore/Store/SmartStore+Entries.swift", "public func retrieve(ids: [Int64], from soup: String) throws(Fault)", "retrieve", "true"),
    ("Sources/OfflineStore/Store/SmartStore+Entries.swift", "public func retrieve(id: Int64, from soup: String) throws(Fault)", "retrieve", "true"),
    ("Sources/OfflineStore/Queries/SmartStore+Queries.swift", "public func query(_ spec: QuerySpec, soup: String) throws(Fault)", "match",
     "spec.kind == .match"),
    # The second half of a query whose matches are counted.
    ("Sources/OfflineStore/Queries/StoreCursor.swift", "public var totalEntries: Int {\n        get throws(Fault)", "match", "true"),
]

FAULT = """import FoundationEssentials

/// A fault of ci/check-trials and ci/regression-trials.
enum PlantedFault {
    private static let named = ProcessInfo.processInfo.environment["PLANTED_FAULT"] ?? ""
    private static let work = named.split(separator: ":").first.map(String.init) ?? ""
    private static let percent = named.split(separator: ":").last.flatMap { Int($0) } ?? 0

    static func begin(_ work: String, _ applies: Bool) -> ContinuousClock.Instant? {
        applies && percent > 0 && work.utf8.elementsEqual(Self.work.utf8) ? ContinuousClock.now : nil
    }

    static func end(_ started: ContinuousClock.Instant?) {
        guard let started else { return }
        let end = ContinuousClock.now + started.duration(to: .now) * percent / 100
        while ContinuousClock.now < end {}
    }
}
"""


def planted(text, path, signature, work, condition):
    """Returns the text of a file with the fault at the beginning of the function of that signature."""
    start = text.find(signature)
    if start < 0 or text.find(signature, start + 1) >= 0:
        sys.exit("plant_slowness: %s is not once in %s" % (signature, path))
    body = text.index("{\n", start + len(signature)) + 2
    lines = "        let planted = PlantedFault.begin(\"%s\", %s)\n        defer { PlantedFault.end(planted) }\n" % (work, condition)
    # Functions of one expression have no `return`.
    rest = text[body:]
    indented = rest.lstrip(" ")
    if indented.startswith("try "):
        rest = rest[:len(rest) - len(indented)] + "return " + indented
    return text[:body] + lines + rest


def main(folder, changes):
    for path, signature, work, condition in PLACES:
        with open(folder + "/" + path, encoding="utf-8") as file:
            text = planted(file.read(), path, signature, work, condition)
        if changes:
            with open(folder + "/" + path, "w", encoding="utf-8") as file:
                file.write(text)
    if changes:
        with open(folder + "/Sources/OfflineStore/PlantedFault.swift", "w", encoding="utf-8") as file:
            file.write(FAULT)


main(sys.argv[-1], changes=sys.argv[1] != "--check")
