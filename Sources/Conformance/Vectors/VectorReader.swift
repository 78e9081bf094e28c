import JSONText

/// Reads a vector file strictly: unknown keys, calls, capabilities and matchers are problems and are never ignored.
///
/// The reader continues after a problem, so that it reports all of them. A file with problems is not run.
struct VectorReader {
    let file: String
    private(set) var problems: [VectorProblem] = []

    init(file: String) { self.file = file }

    /// Reads a file; nil if it has problems.
    mutating func read(_ bytes: [UInt8]) -> VectorFile? {
        let root: JSONValue
        do {
            root = try JSONValue(parsing: bytes, options: JSONOptions(refusesDuplicateNames: true))
        } catch {
            report("", "not valid JSON: \(error)")
            return nil
        }
        guard let object = root.object else {
            report("", "must be an object")
            return nil
        }
        checkKeys(of: object, allowed: ["format", "area", "about", "fixtures", "cases"], at: Location())
        guard readFormat(object["format"]) else { return nil }
        let area = text(object, "area", at: Location(), required: true) ?? ""
        let about = text(object, "about", at: Location(), required: false)
        var fixtures: [VectorFixture] = []
        for (name, value) in members(object["fixtures"], "fixtures") {
            fixtures.append(fixture(name, value, at: Location(key: "fixtures.\(name)")))
        }
        let cases = self.cases(object["cases"], fixtures: fixtures)
        guard problems.isEmpty else { return nil }
        return VectorFile(path: file, area: area, about: about, fixtures: fixtures, cases: cases)
    }

    private mutating func readFormat(_ value: JSONValue?) -> Bool {
        guard let format = value?.int64 else {
            report("format", "must be present and the number 1")
            return false
        }
        guard format == 1 else {
            report("format", "is \(format); only format 1 is supported")
            return false
        }
        return true
    }

    // MARK: - Fixtures

    private mutating func fixture(_ name: String, _ value: JSONValue, at location: Location) -> VectorFixture {
        guard let object = value.object else {
            report(location, "must be an object")
            return VectorFixture(name: name, calls: [])
        }
        checkKeys(of: object, allowed: ["soups", "entries"], at: location)
        var calls: [VectorCall] = []
        // The store of each soup, as arguments of the calls about it.
        var stores: [(soupName: String, arguments: [(String, JSONValue)])] = []
        for (index, soup) in elements(object["soups"], at: location.member("soups")).enumerated() {
            let location = location.member("soups").element(index)
            guard let registration = soup.object else {
                report(location, "must be an object, the arguments of registerSoup")
                continue
            }
            checkKeys(
                of: registration, allowed: ["soupName", "soupSpec", "indexSpecs", "storeName", "isGlobalStore"],
                at: location)
            guard let soupName = (registration["soupName"] ?? registration["soupSpec"]?["name"])?.string else {
                report(location.member("soupName"), "must be a string")
                continue
            }
            let store = ["storeName", "isGlobalStore"].compactMap { name in registration[name].map { (name, $0) } }
            stores.append((soupName, store))
            calls.append(VectorCall(name: "registerSoup", arguments: registration))
        }
        for (soupName, entries) in members(object["entries"], location.member("entries").key) {
            let location = location.member("entries").member(soupName)
            guard case .array = entries else {
                report(location, "must be an array of entries")
                continue
            }
            guard let store = stores.first(where: { $0.soupName.utf8.elementsEqual(soupName.utf8) }) else {
                report(location, "the fixture does not register this soup")
                continue
            }
            calls.append(
                VectorCall(
                    name: "upsertSoupEntries",
                    arguments: JSONObject([("soupName", .string(soupName)), ("entries", entries)] + store.arguments)))
        }
        return VectorFixture(name: name, calls: calls)
    }

    // MARK: - Cases

    private mutating func cases(_ value: JSONValue?, fixtures: [VectorFixture]) -> [VectorCase] {
        var cases: [VectorCase] = []
        if value == nil {
            report("cases", "must be present and an array")
        }
        for (index, element) in elements(value, at: Location(key: "cases")).enumerated() {
            let location = Location(key: "cases[\(index)]")
            guard let object = element.object else {
                report(location, "must be an object")
                continue
            }
            guard let id = object["id"]?.string, !id.isEmpty else {
                report(location.member("id"), "must be a non-empty string")
                continue
            }
            if cases.contains(where: { $0.id.utf8.elementsEqual(id.utf8) }) {
                report(Location(caseID: id).member("id"), "is taken by an earlier case")
            }
            cases.append(vectorCase(id, object, fixtures: fixtures))
        }
        return cases
    }

    private mutating func vectorCase(_ id: String, _ object: JSONObject, fixtures: [VectorFixture]) -> VectorCase {
        let location = Location(caseID: id)
        checkKeys(
            of: object,
            allowed: [
                "id", "title", "source", "requires", "fixture", "steps", "requirements", "level", "note", "since",
            ], at: location)
        let requires = texts(object["requires"], at: location.member("requires"))
        for name in requires where !Capability.isKnown(name) {
            report(location.member("requires"), "unknown capability \(name)")
        }
        var fixture: VectorFixture?
        if let name = text(object, "fixture", at: location, required: false) {
            fixture = fixtures.first { $0.name.utf8.elementsEqual(name.utf8) }
            if fixture == nil {
                report(location.member("fixture"), "the file has no fixture \(name)")
            }
        }
        // The calls of a later part of the contract cannot be checked.
        let steps = requires.contains(where: Capability.isLater) ? [] : self.steps(object["steps"], at: location)
        return VectorCase(
            id: id, title: text(object, "title", at: location, required: true) ?? "",
            source: text(object, "source", at: location, required: false),
            requires: requires, requirements: texts(object["requirements"], at: location.member("requirements")),
            statedLevel: object["level"]?.string.flatMap(ConformanceLevel.init(rawValue:)), fixture: fixture,
            steps: steps)
    }

    private mutating func steps(_ value: JSONValue?, at location: Location) -> [VectorStep] {
        let location = location.member("steps")
        var saved: [String] = []
        var steps: [VectorStep] = []
        let list = elements(value, at: location)
        if list.isEmpty {
            report(location, "must be an array with at least one step")
        }
        for (index, element) in list.enumerated() {
            if let step = step(element, at: location.element(index), saved: saved) {
                steps.append(step)
                if let name = step.save {
                    saved.append(name)
                }
            }
        }
        return steps
    }

    private mutating func step(_ value: JSONValue, at location: Location, saved: [String]) -> VectorStep? {
        guard let object = value.object else {
            report(location, "must be an object")
            return nil
        }
        checkKeys(of: object, allowed: ["call", "args", "returns", "fails", "save"], at: location)
        guard let name = text(object, "call", at: location, required: true) else { return nil }
        if CallSignature.of(name) == nil {
            report(location.member("call"), "unknown call \(name)")
        }
        var arguments = JSONObject()
        switch object["args"] {
        case nil: break
        case .object(let given): arguments = given
        default: report(location.member("args"), "must be an object")
        }
        checkSavedNames(in: .object(arguments), saved: saved, at: location.member("args"))
        let save = text(object, "save", at: location, required: false)
        if let save, save.isEmpty || save.utf8.contains(UInt8(ascii: ".")) {
            report(location.member("save"), "must be a name without dots")
        }
        let expectation: VectorStep.Expectation
        switch (object["returns"], object["fails"]) {
        case (nil, nil): expectation = .success
        case (let returns?, nil):
            var reading = MatcherReading(saved: saved)
            let matcher = reading.matcher(returns, at: "returns", mayBeAbsent: false)
            for problem in reading.problems {
                report(location.member(problem.key), problem.message)
            }
            expectation = .returns(matcher)
        case (nil, let fails?): expectation = .fails(expectedFault(fails, at: location.member("fails")))
        default:
            report(location, "has both returns and fails")
            return nil
        }
        if save != nil, case .fails = expectation {
            report(location.member("save"), "a step that fails has no result to keep")
        }
        return VectorStep(call: VectorCall(name: name, arguments: arguments), expectation: expectation, save: save)
    }

    private mutating func expectedFault(_ value: JSONValue, at location: Location) -> ExpectedFault {
        guard let object = value.object else {
            report(location, "must be an object")
            return ExpectedFault(code: nil, offset: nil, contains: nil)
        }
        checkKeys(of: object, allowed: ["code", "offset", "contains"], at: location)
        var offset: Int64?
        if let value = object["offset"] {
            offset = value.int64
            if offset == nil || offset ?? 0 < 0 {
                report(location.member("offset"), "must be an integer from 0")
            }
        }
        return ExpectedFault(
            code: text(object, "code", at: location, required: false), offset: offset,
            contains: text(object, "contains", at: location, required: false))
    }

    /// Checks that each name after `$saved.` was saved by an earlier step of the same case.
    private mutating func checkSavedNames(in value: JSONValue, saved: [String], at location: Location) {
        switch value {
        case .string(let text):
            guard let path = SavedPath(text) else { return }
            if !saved.contains(where: { $0.utf8.elementsEqual(path.name.utf8) }) {
                report(location, "no earlier step saves \(path.name)")
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                checkSavedNames(in: element, saved: saved, at: location.element(index))
            }
        case .object(let object):
            for member in object.members {
                checkSavedNames(in: member.value, saved: saved, at: location.member(member.name))
            }
        case .null, .bool, .number: break
        }
    }
}

// MARK: - Helpers
extension VectorReader {
    /// The location of a value: its case and the path in it.
    private struct Location {
        var caseID: String?
        var key = ""

        func member(_ name: String) -> Location { Location(caseID: caseID, key: key.isEmpty ? name : key + "." + name) }
        func element(_ index: Int) -> Location { Location(caseID: caseID, key: key + "[\(index)]") }
    }

    private mutating func report(_ location: Location, _ message: String) {
        problems.append(VectorProblem(file: file, caseID: location.caseID, key: location.key, message: message))
    }

    private mutating func report(_ key: String, _ message: String) { report(Location(key: key), message) }

    private mutating func checkKeys(of object: JSONObject, allowed: [String], at location: Location) {
        for name in object.names where !allowed.contains(name) && !name.hasPrefix("x-") {
            report(location.member(name), "unknown key")
        }
    }

    private mutating func text(_ object: JSONObject, _ name: String, at location: Location, required: Bool) -> String? {
        switch object[name] {
        case nil, .null?:
            if required {
                report(location.member(name), "must be present and a string")
            }
            return nil
        case .string(let text): return text
        default:
            report(location.member(name), "must be a string")
            return nil
        }
    }

    private mutating func texts(_ value: JSONValue?, at location: Location) -> [String] {
        var texts: [String] = []
        for (index, element) in elements(value, at: location).enumerated() {
            if let text = element.string {
                texts.append(text)
            } else {
                report(location.element(index), "must be a string")
            }
        }
        return texts
    }

    private mutating func elements(_ value: JSONValue?, at location: Location) -> [JSONValue] {
        switch value {
        case nil: return []
        case .array(let elements): return elements
        default:
            report(location, "must be an array")
            return []
        }
    }

    private mutating func members(_ value: JSONValue?, _ key: String) -> [(name: String, value: JSONValue)] {
        switch value {
        case nil: return []
        case .object(let object): return object.members
        default:
            report(key, "must be an object")
            return []
        }
    }
}
