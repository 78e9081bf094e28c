import JSONText
import LocalChanges
import Soups

extension UpPart {
    /// Whether a record of an answer has one of these members twice: the id, the date, a field that was asked for,
    /// `attributes`, or a reserved one. A run decides by them, so neither of two can be believed.
    func isAmbiguous(_ record: JSONObject, asked fields: [String]) -> Bool {
        let asked = fields.map { String($0.prefix { $0 != "." }) }
        let decisive = Set(([idField, modificationField] + asked).map { ByteKey($0) })
        var seen: Set<ByteKey> = []
        for text in record.names {
            let name = ByteKey(text)
            guard decisive.contains(name) || !ReservedField.isField(text) else { continue }
            if !seen.insert(name).inserted {
                return true
            }
        }
        return false
    }
}
