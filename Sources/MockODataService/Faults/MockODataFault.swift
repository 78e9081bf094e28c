public import JSONText

/// What a `MockODataService` does wrong, on purpose.
public enum MockODataFault: Sendable, Equatable {
    /// The body of an answer whose status says that something failed.
    public enum ErrorBody: String, Sendable, Hashable, CaseIterable {
        /// An error as the version and format write it.
        case error
        /// A page, as proxies send it.
        case html
        /// Nothing.
        case empty
    }

    /// How the links and entities of an answer are spoiled.
    public enum Spoiling: String, Sendable, Hashable, CaseIterable {
        /// An entity comes twice on its page.
        case doubledEntity
        /// The page has a link to the next page and one to changes.
        case bothLinks
        /// The link to the next page leads to the same page.
        case repeatedLink
        /// The link to the next page leads to another host.
        case foreignLink
        /// Entities and answers to changes have no ETag.
        case withoutETag
        /// Entities and answers to changes have no key.
        case withoutKey
        /// Entities have members named `_soupEntryId` and `__key__`.
        case reservedMembers
        /// The last answer of a batch is missing.
        case fewerAnswers
        /// A batch has an answer without a request.
        case moreAnswers
    }

    /// How the bytes of an answer are written.
    public enum Coding: String, Sendable, Hashable, CaseIterable {
        /// In ISO-8859-1, with the header that says so.
        case latin1
        /// Compressed by gzip, with the header that says so.
        case gzip
        /// After a byte order mark.
        case byteOrderMark
    }

    /// Answers with a status instead of doing what was asked, or after it was done. With seconds also `Retry-After`.
    /// For a part of a batch, if the rule names one.
    case status(Int, ErrorBody, retryAfter: Int? = nil, afterApplying: Bool = false)
    /// The connection is dropped before the request is applied.
    case dropBefore
    /// The connection is dropped after the request was applied.
    case dropAfter
    /// The whole length is announced, and the connection is closed after this number of bytes of the body; nil for half
    /// of it.
    case cut(atByte: Int?)
    /// The body ends there, and the announced length says so; nil for half of it.
    case shortened(toByte: Int?)
    /// The answer comes late by this number of milliseconds.
    case delay(Int)
    /// Links or entities of the answer are spoiled.
    case spoiled(Spoiling)
    /// The bytes of the answer are written in another way.
    case coded(Coding)
    /// An entity is changed by another user, before the request is applied or after it; null properties delete it, and
    /// a key that is not there creates it.
    case change(set: String, key: String, properties: JSONObject?, after: Bool)
    /// The function that `MockODataService.onSignal` was given is called, before the request is applied or after it: to
    /// stop or kill the client at exactly this request.
    case signal(String, after: Bool)
}

extension MockODataFault {
    /// The name, as in a file of rules.
    var name: String {
        switch self {
        case .status: "status"
        case .dropBefore: "dropBefore"
        case .dropAfter: "dropAfter"
        case .cut: "cut"
        case .shortened: "shortened"
        case .delay: "delay"
        case .spoiled(let spoiling): spoiling.rawValue
        case .coded(let coding): coding.rawValue
        case .change: "change"
        case .signal: "signal"
        }
    }
}

extension Spoils {
    init(_ spoiling: MockODataFault.Spoiling) {
        self =
            switch spoiling {
            case .doubledEntity: .doubledEntity
            case .bothLinks: .bothLinks
            case .repeatedLink: .repeatedLink
            case .foreignLink: .foreignLink
            case .withoutETag: .withoutETag
            case .withoutKey: .withoutKey
            case .reservedMembers: .reservedMembers
            case .fewerAnswers: .fewerAnswers
            case .moreAnswers: .moreAnswers
            }
    }
}
