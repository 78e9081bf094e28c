public import JSONText
public import Soups

/// A page of records of a service: their bytes, and what is known of each. No record is read into a tree.
public struct DownPage: Sendable {
    /// The text that the records are parts of.
    public let bytes: [UInt8]
    /// The records, in their order.
    public let records: [DownRecord]
    /// How many records the run will bring, if the service says so. That of the first page counts.
    public var total: Int?
    /// The newest date of modification up to which every record was delivered; nil for that of the records.
    public var newest: Int64?
    /// What the target needs to ask for the next page.
    public var continuation: (any Sendable)?
    /// Whether no page follows. A target that cannot know leaves it false, and answers nil when it is asked for the
    /// next.
    public var isLast: Bool
    /// The number of records whose date cannot be read.
    var unreadableDates = 0
    /// The records that stay unsaved, because their rows have local changes.
    public internal(set) var left: Set<RecordId> = []
    /// Whether nothing was asked for: there is a total, and no answer to save.
    var isUnasked = false
    /// What a target of this package keeps with the page: the children of its records.
    var attachments: (any Sendable)?

    init(bytes: [UInt8], records: [DownRecord]) {
        self.bytes = bytes
        self.records = records
        isLast = false
    }

    /// Creates a page of the elements of a JSON array, given as its text.
    ///
    /// - Throws: `malformedAnswer` if it is not an array of objects, or one has no id (a text or a number in the id
    ///   field); `limitExceeded` for more than 1,000,000 records or a nesting deeper than 512.
    public init(array: [UInt8], for target: some DownTarget) throws(Fault) {
        let form = RecordForm(idField: target.idField, modificationField: target.modificationField)
        self = try PageReader(form).page(ofArray: array)
    }

    /// Creates a page of records, each the JSON text of an object.
    ///
    /// - Throws: as `init(array:for:)`.
    public init(records: [[UInt8]], for target: some DownTarget) throws(Fault) {
        var array: [UInt8] = [UInt8(ascii: "[")]
        for record in records {
            if array.count > 1 {
                array.append(UInt8(ascii: ","))
            }
            array += record
        }
        array.append(UInt8(ascii: "]"))
        try self.init(array: array, for: target)
    }

    /// Creates a page of records, given as JSON values.
    ///
    /// - Throws: as `init(array:for:)`.
    public init(_ records: [JSONObject], for target: some DownTarget) throws(Fault) {
        try self.init(array: JSONValue.array(records.map(JSONValue.object)).bytes(), for: target)
    }
}
