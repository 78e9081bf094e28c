import Soups

/// Says how thoroughly a store is checked.
public enum CheckDepth: String, Sendable, Hashable, CaseIterable {
    /// The structure of the database, tables and columns, and whether each external entry has its file.
    case quick
    /// Everything: also the authentication of each page, each index against its table, each column and full-text row
    /// against its entry, and the content of each external file.
    case full
}

/// Says what a check of a store found. Nothing is repaired.
public struct IntegrityReport: Sendable, Hashable {
    /// How thoroughly the store was checked.
    public let depth: CheckDepth
    /// What was found, by kind and soup; empty for a sound store.
    public internal(set) var findings: [Finding] = []

    /// Whether nothing was found.
    public var isSound: Bool { findings.isEmpty }

    /// One kind of damage, in one soup or in the database as a whole.
    public struct Finding: Sendable, Hashable {
        /// The kind, for programs.
        public let code: Code
        /// The soup, if it is about one.
        public let soup: String?
        /// How often it was found, at most 100.
        public internal(set) var count: Int
        /// The ids of the entries concerned, at most 100; empty if it is not about entries.
        public internal(set) var ids: [Int64]
        /// What SQLite says about it, at most 100 lines. Never a value of an entry.
        public internal(set) var details: [String]
    }

    /// The kind of a finding. An open set: later versions may add to it.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A page of the database is damaged, or an encrypted one was changed.
        public static let pageDamaged = Self(rawValue: "pageDamaged")
        /// An index of SQLite lacks a row of its table, or has one too many.
        public static let indexOutOfStep = Self(rawValue: "indexOutOfStep")
        /// A table or column of a registered soup is missing.
        public static let tableMissing = Self(rawValue: "tableMissing")
        /// The text of an entry is not valid JSON.
        public static let entryInvalid = Self(rawValue: "entryInvalid")
        /// A column holds another value than its entry has at the path.
        public static let columnOutOfStep = Self(rawValue: "columnOutOfStep")
        /// The full-text row of an entry is missing, left over, or holds other text.
        public static let fullTextOutOfStep = Self(rawValue: "fullTextOutOfStep")
        /// An external entry has no file.
        public static let externalFileMissing = Self(rawValue: "externalFileMissing")
        /// The file of an external entry is cut off or was changed.
        public static let externalFileDamaged = Self(rawValue: "externalFileDamaged")
        /// A file belongs to no external entry. The next opening for writing removes it.
        public static let externalFileOrphaned = Self(rawValue: "externalFileOrphaned")
        /// A value of a key-value store lacks some of its pieces. The ids are those of the rows of its table.
        public static let valueIncomplete = Self(rawValue: "valueIncomplete")
        /// A table that lists the soups or their indexes is missing, though there are soups.
        public static let catalogueMissing = Self(rawValue: "catalogueMissing")
        /// The lists of soups, of indexes and of tables do not belong together: a soup has no index, or the indexes or
        /// the table of a soup have no soup.
        public static let catalogueOutOfStep = Self(rawValue: "catalogueOutOfStep")
        /// An alteration of a soup is unfinished: see `SmartStore.resumeAlterations(progress:)`.
        public static let alterationUnfinished = Self(rawValue: "alterationUnfinished")
        /// A migration is unfinished: run it again.
        public static let migrationUnfinished = Self(rawValue: "migrationUnfinished")
    }

    private static let most = 100

    /// Adds to the finding of a kind and soup, or makes it.
    mutating func add(_ code: Code, soup: String? = nil, id: Int64? = nil, detail: String? = nil) {
        let key = soup.map { ByteKey($0) }
        let index =
            findings.firstIndex { $0.code == code && $0.soup.map { ByteKey($0) } == key }
            ?? {
                findings.append(Finding(code: code, soup: soup, count: 0, ids: [], details: []))
                return findings.count - 1
            }()
        guard findings[index].count < Self.most else { return }
        findings[index].count += 1
        if let id {
            findings[index].ids.append(id)
        }
        if let detail {
            findings[index].details.append(detail)
        }
    }
}
