import CSVText
import JSONText
import Soups

/// Makes JSON objects of comma-separated values: the header has the names, empty fields are left out, and a field that
/// is spelt like a JSON number is one.
enum CSVDocuments {
    /// - Throws: `invalidArguments` with the record and the byte offset.
    static func read(_ bytes: [UInt8], path: String) throws(Fault) -> [[UInt8]] {
        let records: [[String]]
        do { records = try CSVText.records(bytes) } catch {
            throw Fault(
                .invalidArguments, "\(path), record \(error.record): \(error.message)", offset: error.offset)
        }
        guard let header = records.first, Set(header.map { ByteKey($0) }).count == header.count else {
            throw Fault(.invalidArguments, "\(path) has two columns of one name; give every column a name of its own")
        }
        var documents: [[UInt8]] = []
        for (index, record) in records.enumerated().dropFirst() where record != [""] {
            guard record.count == header.count else {
                throw Fault(
                    .invalidArguments,
                    "\(path), record \(index + 1): \(record.count) fields, but the header has \(header.count)")
            }
            let members = zip(header, record).filter { !$0.1.isEmpty }.map { ($0.0, value($0.1)) }
            documents.append(JSONValue.object(JSONObject(members)).bytes())
        }
        return documents
    }

    private static func value(_ field: String) -> JSONValue {
        let looksLikeNumber = field.utf8.first.map { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") } ?? false
        guard looksLikeNumber, let parsed = try? JSONValue(parsing: Array(field.utf8)) else {
            return .string(field)
        }
        return parsed
    }
}
