import JSONText
import Soups

/// Reads JSON payloads of all formats piece by piece. It returns the entries of the outermost feed as soon as their
/// bytes have arrived.
///
/// The members of the feed other than its entries are few and are kept. Each entry of the feed is parsed onto one tape,
/// which is reused. A body that is not a feed is read when it is complete. Members may have any order: entries with
/// relative URLs are held back until the context URL is known. Elements of `value` that may be those of a service
/// document or links are read again once it is known what they are; see `JSONLookAhead`.
struct JSONPayloadReader: ~Copyable {
    let options: PayloadOptions
    let tape: JSONTape
    var builder: JSONEntryBuilder
    var buffer: [UInt8] = []
    var position = 0
    /// The number of bytes of the body before the buffer.
    var before = 0
    var received = 0
    var isFinished = false
    var retryAt = 0

    enum State {
        case beginning, firstMember, member, separator, firstElement, element, elementSeparator, closing, whole, ended
    }
    var state = State.beginning
    /// Whether the position is inside the object `d` of verbose JSON.
    var isInsideD = false
    /// The format before a member `d` was met, which an entity may have too.
    var formatOutsideD: JSONFormat?
    var isBareArray = false
    var hasFeed = false
    var members: [(name: String, value: JSONValue)] = []
    /// The fault of a count, thrown once its member is known to end: a text without its last quote is a fault of JSON.
    var countFault: Fault?
    var base: BaseURL?
    /// The context URL, once it was read.
    var context: String?
    var lookAhead = JSONLookAhead()
    /// The type of the elements, by the options and the context URL.
    var elementType: String?
    var feed = ODataFeed()
    /// How the elements of the feed are links; nil if they are entries. The first element decides in verbose JSON.
    var linkForm: JSONLinks?
    var links: [URLReference] = []
    var hasElements = false
    /// Whether an element is null and the context URL allows that: the body is a collection of complex values.
    var metNull = false
    /// Entries and links that are held back.
    var waiting: [PayloadStep] = []
    var isWaiting = false
    /// Entries and links that were held back and can be returned now, in reverse order.
    var ready: [PayloadStep] = []

    init(options: PayloadOptions) {
        self.options = options
        tape = JSONTape(options: JSONOptions(maximumDepth: options.limits.depth, refusesDuplicateNames: true))
        let isVerbose = options.contentType?.isVerboseJSON == true || options.readVersion <= .v2
        builder = JSONEntryBuilder(
            options: options, format: isVerbose ? .verbose : options.readVersion.isV4 ? .v4 : .light3)
        base = options.baseURL.map(BaseURL.init)
        elementType = options.entityType
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(Fault) {
        received += bytes.count
        guard received <= options.limits.totalBytes else {
            throw Fault(
                .limitExceeded,
                "the body is longer than \(options.limits.totalBytes) bytes; raise PayloadOptions.limits.totalBytes",
                offset: options.limits.totalBytes)
        }
        if dropsBytes, position > 0 {
            buffer.removeSubrange(..<position)
            before += position
            position = 0
        }
        buffer.append(contentsOf: bytes)
        let pending = buffer.count - (dropsBytes ? 0 : position)
        guard !hasFeed || pending <= options.limits.entryBytes + bytes.count else {
            throw Fault(
                .limitExceeded,
                "an entry is longer than \(options.limits.entryBytes) bytes; raise PayloadOptions.limits.entryBytes",
                offset: before)
        }
    }

    mutating func finish() {
        isFinished = true
        retryAt = 0
    }

    /// Whether the bytes before the position are not needed any more.
    var dropsBytes: Bool { hasFeed && !lookAhead.isActive }

    mutating func next() throws(Fault) -> PayloadStep {
        if let step = ready.popLast() {
            return step
        }
        if buffer.count < retryAt {
            return .needsInput
        }
        while true {
            if let step = try advance() {
                return step
            }
        }
    }
}
