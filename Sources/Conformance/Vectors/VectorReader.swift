import JSONText

/// Reads a vector file strictly: every unknown key, call, capability or matcher is a problem of the file, never a skip.
///
/// It goes on after a problem, so that one reading names them all. Nothing of a file with problems is run.
struct VectorReader {
    let file: String
    private(set) var problems: [VectorProblem] = []

    init(file: String) { self.file = file }

    /// Gives the file, or nil where there are problems.
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
        checkKeys(of: object, allowed: ["format", "area", "about", "fixtures", "cases"], at: Place())
        guard readFormat(object["format"]) else { return nil }
        let area = text(object, "area", at: Place(), required: true) ?? ""
        let about = text(object, "about", at: Place(), required: false)
        var fixtures: [VectorFixture] = []
        for (name, value) in members(object["fixtures"], "fixtures") {
            fixtures.append(fixture(name, value, at: Place(key: "fixtures.\(name)")))
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

    private mutating func fixture(_ name: String, _ value: JSONValue, at place: Place) -> VectorFixture {
        guard let object = value.object else {
            report(place, "must be an object")
            return VectorFixture(name: name, calls: [])
        }
        checkKeys(of: object, allowed: ["soups", "entries"], at: place)
        var calls: [VectorCall] = []
        var names: [String] = []
        for (index, soup) in elements(object["soups"], at: place.member("soups")).enumerated() {
            let place = place.member("soups").element(index)
            guard let registration = soup.object else {
                report(place, "must be an object, the arguments of registerSoup")
                continue
            }
            checkKeys(
                of: registration, allowed: ["soupName", "soupSpec", "indexSpecs", "storeName", "isGlobalStore"],
                at: place)
            guard let soupName = (registration["soupName"] ?? registration["soupSpec"]?["name"])?.string else {
                report(place.member("soupName"), "must be a string")
                continue
            }
            names.append(soupName)
            calls.append(VectorCall(name: "registerSoup", arguments: registration))
        }
        for (soupName, entries) in members(object["entries"], place.member("entries").key) {
            let place = place.member("entries").member(soupName)
            guard case .array = entries else {
                report(place, "must be an array of entries")
                continue
            }
            guard names.contains(where: { $0.utf8.elementsEqual(soupName.utf8) }) else {
                report(place, "the fixture does not register this soup")
                continue
            }
            calls.append(
                VectorCall(
                    name: "upsertSoupEntries",
                    arguments: JSONObject([("soupName", .string(soupName)), ("entries", entries)])))
        }
        return VectorFixture(name: name, calls: calls)
    }

    // MARK: - Cases

    private mutating func cases(_ value: JSONValue?, fixtures: [VectorFixture]) -> [VectorCase] {
        var cases: [VectorCase] = []
        if value == nil {
            report("cases", "must be present and an array")
        }
        for (index, element) in elements(value, at: Place(key: "cases")).enumerated() {
            let place = Place(key: "cases[\(index)]")
            guard let object = element.object else {
                report(place, "must be an object")
                continue
            }
            guard let id = object["id"]?.string, !id.isEmpty else {
                report(place.member("id"), "must be a non-empty string")
                continue
            }
            if cases.contains(where: { $0.id.utf8.elementsEqual(id.utf8) }) {
                report(Place(caseID: id).member("id"), "is taken by an earlier case")
            }
            cases.append(vectorCase(id, object, fixtures: fixtures))
        }
        return cases
    }

    private mutating func vectorCase(_ id: String, _ object: JSONObject, fixtures: [VectorFixture]) -> VectorCase {
        let place = Place(caseID: id)
        checkKeys(
            of: object,
            allowed: [
                "id", "title", "source", "requires", "fixture", "steps", "requirements", "level", "note", "since",
            ], at: place)
        let requires = texts(object["requires"], at: place.member("requires"))
        for name in requires where !Capability.isKnown(name) {
            report(place.member("requires"), "unknown capability \(name)")
        }
        var fixture: VectorFixture?
        if let name = text(object, "fixture", at: place, required: false) {
            fixture = fixtures.first { $0.name.utf8.elementsEqual(name.utf8) }
            if fixture == nil {
                report(place.member("fixture"), "the file has no fixture \(name)")
            }
        }
        var saved: [String] = []
        var steps: [VectorStep] = []
        let list = elements(object["steps"], at: place.member("steps"))
        if list.isEmpty {
            report(place.member("steps"), "must be an array with at least one step")
        }
        for (index, element) in list.enumerated() {
            if let step = step(element, at: place.member("steps").element(index), saved: saved) {
                steps.append(step)
                if let name = step.save {
                    saved.append(name)
                }
            }
        }
        return VectorCase(
            id: id, title: text(object, "title", at: place, required: true) ?? "",
            source: text(object, "source", at: place, required: false),
            requires: requires, requirements: texts(object["requirements"], at: place.member("requirements")),
            fixture: fixture, steps: steps)
    }

    private mutating func step(_ value: JSONValue, at place: Place, saved: [String]) -> VectorStep? {
        guard let object = value.object else {
            report(place, "must be an object")
            return nil
        }
        checkKeys(of: object, allowed: ["call", "args", "returns", "fails", "save"], at: place)
        guard let name = text(object, "call", at: place, required: true) else { return nil }
        if !CallName.isKnown(name) {
            report(place.member("call"), "unknown call \(name)")
        }
        var arguments = JSONObject()
        switch object["args"] {
        case nil: break
        case .object(let given): arguments = given
        default: report(place.member("args"), "must be an object")
        }
        checkSavedNames(in: .object(arguments), saved: saved, at: place.member("args"))
        let save = text(object, "save", at: place, required: false)
        if let save, save.isEmpty || save.utf8.contains(UInt8(ascii: ".")) {
            report(place.member("save"), "must be a name without dots")
        }
        let expectation: VectorStep.Expectation
        switch (object["returns"], object["fails"]) {
        case (nil, nil): expectation = .success
        case (let returns?, nil):
            var reading = MatcherReading(saved: saved)
            let matcher = reading.matcher(returns, at: "returns", mayBeAbsent: false)
            for problem in reading.problems {
                report(place.member(problem.key), problem.message)
            }
            expectation = .returns(matcher)
        case (nil, let fails?): expectation = .fails(expectedFault(fails, at: place.member("fails")))
        default:
            report(place, "has both returns and fails")
            return nil
        }
        if save != nil, case .fails = expectation {
            report(place.member("save"), "a step that fails has no result to keep")
        }
        return VectorStep(call: VectorCall(name: name, arguments: arguments), expectation: expectation, save: save)
    }

    private mutating func expectedFault(_ value: JSONValue, at place: Place) -> ExpectedFault {
        guard let object = value.object else {
            report(place, "must be an object")
            return ExpectedFault(code: nil, offset: nil, contains: nil)
        }
        checkKeys(of: object, allowed: ["code", "offset", "contains"], at: place)
        var offset: Int64?
        if let value = object["offset"] {
            offset = value.int64
            if offset == nil || offset ?? 0 < 0 {
                report(place.member("offset"), "must be an integer from 0")
            }
        }
        return ExpectedFault(
            code: text(object, "code", at: place, required: false), offset: offset,
            contains: text(object, "contains", at: place, required: false))
    }

    /// A name after `$saved.` must have been kept by an earlier step of the same case.
    private mutating func checkSavedNames(in value: JSONValue, saved: [String], at place: Place) {
        switch value {
        case .string(let text):
            guard let path = SavedPath(text) else { return }
            if !saved.contains(where: { $0.utf8.elementsEqual(path.name.utf8) }) {
                report(place, "no earlier step saves \(path.name)")
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                checkSavedNames(in: element, saved: saved, at: place.element(index))
            }
        case .object(let object):
            for member in object.members {
                checkSavedNames(in: member.value, saved: saved, at: place.member(member.name))
            }
        case .null, .bool, .number: break
        }
    }
}

// MARK: - Small readings
extension VectorReader {
    /// Where a value stands: the case it belongs to and the way from there.
    private struct Place {
        var caseID: String?
        var key = ""

        func member(_ name: String) -> Place { Place(caseID: caseID, key: key.isEmpty ? name : key + "." + name) }
        func element(_ index: Int) -> Place { Place(caseID: caseID, key: key + "[\(index)]") }
    }

    private mutating func report(_ place: Place, _ message: String) {
        problems.append(VectorProblem(file: file, caseID: place.caseID, key: place.key, message: message))
    }

    private mutating func report(_ key: String, _ message: String) { report(Place(key: key), message) }

    private mutating func checkKeys(of object: JSONObject, allowed: [String], at place: Place) {
        for name in object.names where !allowed.contains(name) && !name.hasPrefix("x-") {
            report(place.member(name), "unknown key")
        }
    }

    private mutating func text(_ object: JSONObject, _ name: String, at place: Place, required: Bool) -> String? {
        switch object[name] {
        case nil, .null?:
            if required {
                report(place.member(name), "must be present and a string")
            }
            return nil
        case .string(let text): return text
        default:
            report(place.member(name), "must be a string")
            return nil
        }
    }

    private mutating func texts(_ value: JSONValue?, at place: Place) -> [String] {
        var texts: [String] = []
        for (index, element) in elements(value, at: place).enumerated() {
            if let text = element.string {
                texts.append(text)
            } else {
                report(place.element(index), "must be a string")
            }
        }
        return texts
    }

    private mutating func elements(_ value: JSONValue?, at place: Place) -> [JSONValue] {
        switch value {
        case nil: return []
        case .array(let elements): return elements
        default:
            report(place, "must be an array")
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
