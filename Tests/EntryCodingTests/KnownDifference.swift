import EntryCoding
import FoundationTypes
import JSONText
import Soups

/// Where the coders of this package and those of Foundation differ, each with its reason. Any other difference is a
/// finding.
enum KnownDifference: String, CaseIterable {
    case notJSON =
        "the text is not JSON: ours checks all of it, JSONDecoder only what it is asked for"
    case otherEncoding =
        "the text is not UTF-8: JSONDecoder also reads UTF-16 and UTF-32, which no stored entry can have"
    case equalNames =
        "two members have one name, or one after conversion: ours takes the last, as the store does, JSONDecoder the first"
    case equivalentNames =
        "two names are canonically equivalent: ours compares bytes, as the store does, JSONDecoder Swift texts"
    case smallFloat =
        "the number is too small for a Float: ours gives 0, as both decoders do for a Double, JSONDecoder refuses it"

    case wholeNumber =
        "a whole number beyond 2^53 is written with a point or an exponent: ours is exact, JSONDecoder goes through Double"
    case lostFraction =
        "an integer is asked for, and the number has a fraction that a Double cannot show: ours refuses it, JSONDecoder drops it"
    case oneNameTwice =
        "a value encodes two members whose names become one: ours writes both, which the store refuses, JSONEncoder drops the first"
    case absentSuper =
        "an object has no member super: ours says so, JSONDecoder gives superDecoder a null, which most types refuse"
    case capitalWords =
        "a name with a word in capitals does not come back from snake case: ours finds the member that it writes, JSONDecoder does not"
    case indexBeyondEnd =
        "decodeIfPresent after the last element: ours leaves currentIndex, JSONDecoder moves it on"

    /// The reason for a difference; nil if it is a finding.
    static func explaining(
        _ own: Result<String, any Error>, _ theirs: Result<String, any Error>, of document: [UInt8],
        _ keys: CodingOptions.KeyCoding
    ) -> KnownDifference? {
        do throws(JSONError) {
            _ = try JSONValue(parsing: document, options: JSONOptions(refusesDuplicateNames: true))
        } catch {
            guard error.code == .duplicateName else {
                return isOtherEncoding(document) ? .otherEncoding : isFailure(own) ? .notJSON : nil
            }
            return .equalNames
        }
        guard let tree = try? JSONValue(parsing: document) else { return nil }
        if hasEqualNames(tree, { ByteKey(keys.read($0)) }) {
            return .equalNames
        }
        if hasEqualNames(tree, { keys.read($0) }) || hasName(tree, { isEquivalent(keys.read($0)) }) {
            return .equivalentNames
        }
        if case .success(let own) = own, case .success(let theirs) = theirs, own == withinEnds(theirs) {
            return .indexBeyondEnd
        }
        if !isFailure(own), holds(tree, isLargeAndWhole) {
            return .wholeNumber
        }
        if case .failure(DecodingError.keyNotFound) = theirs, case .snakeCase = keys, !isFailure(own) {
            return .capitalWords
        }
        if case .failure(DecodingError.keyNotFound(let key, _)) = own, key.stringValue == "super", !isFailure(theirs) {
            return .absentSuper
        }
        if isFailure(own), !isFailure(theirs), holds(tree, hasLostFraction) {
            return .lostFraction
        }
        if !isFailure(own), isFailure(theirs), holds(tree, isTooSmall) {
            return .smallFloat
        }
        return nil
    }

    private static func isFailure(_ result: Result<String, any Error>) -> Bool {
        if case .failure = result {
            true
        } else {
            false
        }
    }

    private static func isOtherEncoding(_ document: [UInt8]) -> Bool {
        document.starts(with: [0xEF, 0xBB, 0xBF]) || document.starts(with: [0xFE, 0xFF])
            || document.starts(with: [0xFF, 0xFE]) || document.prefix(4).contains(0)
    }

    /// Whether an object has two names that are one in that form.
    private static func hasEqualNames<Name: Hashable>(_ value: JSONValue, _ form: (String) -> Name) -> Bool {
        switch value {
        case .object(let object):
            Set(object.names.map(form)).count < object.count
                || values(of: object).contains { hasEqualNames($0, form) }
        case .array(let elements): elements.contains { hasEqualNames($0, form) }
        default: false
        }
    }

    private static func hasName(_ value: JSONValue, _ isSuch: (String) -> Bool) -> Bool {
        switch value {
        case .object(let object):
            object.names.contains(where: isSuch) || values(of: object).contains { hasName($0, isSuch) }
        case .array(let elements): elements.contains { hasName($0, isSuch) }
        default: false
        }
    }

    /// Whether a name that is asked for is equivalent, and not the same.
    private static func isEquivalent(_ name: String) -> Bool {
        RandomName.all.contains { $0 == name && ByteKey($0) != ByteKey(name) }
    }

    private static func values(of object: JSONObject) -> [JSONValue] { object.names.compactMap { object[$0] } }

    /// Whether a number of the document is such.
    private static func holds(_ value: JSONValue, _ isSuch: (JSONNumber) -> Bool) -> Bool {
        switch value {
        case .object(let object): values(of: object).contains { holds($0, isSuch) }
        case .array(let elements): elements.contains { holds($0, isSuch) }
        case .number(let number): isSuch(number)
        default: false
        }
    }

    private static func isTooSmall(_ number: JSONNumber) -> Bool {
        abs(number.double) < Double(Float.leastNormalMagnitude)
            && number.text.prefix { $0 != "e" && $0 != "E" }.contains { ("1"..."9").contains($0) }
    }

    private static func hasLostFraction(_ number: JSONNumber) -> Bool {
        number.int64 == nil && number.double == number.double.rounded() && number.text.contains { ".eE".contains($0) }
    }

    private static func isLargeAndWhole(_ number: JSONNumber) -> Bool {
        abs(number.double) >= 0x1p53 && number.text.contains { ".eE".contains($0) }
    }

    /// An answer in which no index is beyond the end of its list.
    private static func withinEnds(_ answer: String) -> String {
        answer.replacing(/(\d+) of (\d+)/) { match in
            guard let index = Int(match.1), let count = Int(match.2) else { return String(match.0) }
            return "\(min(index, count)) of \(count)"
        }
    }
}
