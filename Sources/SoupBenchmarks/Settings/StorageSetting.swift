import Benchmarking
import OfflineStore
import SQLiteAccess
import Soups

/// Settings of a store that users choose between: what its file is like, how much of it is cached, how paths are
/// indexed. The rest are the store's defaults.
struct StorageSetting: Sendable {
    /// The indexes of a store of this setting.
    enum Indexes: String, Sendable {
        /// Those of the corpus.
        case given
        /// Those of the corpus, of which texts are json1.
        case json1
        /// Those of the corpus, without ordinary indexes over full text.
        case noText = "no-text"
    }

    var pageSize = ConnectionSettings.defaultPageSize
    var hmac = CipherSettings.HMACAlgorithm.sha512
    var cacheMegabytes = 16
    var indexes = Indexes.given

    /// Whether it differs from the defaults without a key too.
    var mattersWithoutKey: Bool {
        var other = self
        other.hmac = .sha512
        return !other.name.isEmpty
    }

    /// `hmac=sha256;page=8192`: what differs from the defaults.
    var name: String {
        var parts: [String] = []
        if cacheMegabytes != 16 { parts.append("cache=\(cacheMegabytes)MB") }
        if hmac != .sha512 { parts.append("hmac=\(hmac.rawValue)") }
        if indexes != .given { parts.append("indexes=\(indexes.rawValue)") }
        if pageSize != ConnectionSettings.defaultPageSize { parts.append("page=\(pageSize)") }
        return parts.joined(separator: ";")
    }

    /// What the files of a store depend on.
    var fileName: String { "\(pageSize)-\(hmac.rawValue)-\(indexes.rawValue)" }

    func apply(to options: inout StoreOptions) {
        options.settings.pageSize = pageSize
        options.settings.cacheSize = cacheMegabytes << 20
        options.settings.cipher.hmacAlgorithm = hmac
        options.fullTextIndexes = indexes != .noText
    }

    func specs(_ specs: [IndexSpec]) -> [IndexSpec] {
        guard indexes == .json1 else { return specs }
        return specs.map { $0.type == .string && JSONExtract.canExpress($0.path) ? .json1($0.path) : $0 }
    }

    /// The settings that are measured with generated documents: what the format of an encrypted file can be.
    static let formats = [
        StorageSetting(hmac: .sha256), StorageSetting(pageSize: 8192), StorageSetting(pageSize: 8192, hmac: .sha256),
    ]

    /// What is measured with the largest generated documents only: with few of them everything fits in any cache.
    static let sizes = [
        StorageSetting(pageSize: 16_384), StorageSetting(cacheMegabytes: 2), StorageSetting(cacheMegabytes: 64),
    ]

    /// Those that are measured with documents of a user.
    static func all(_ indexes: [IndexSpec]) -> [StorageSetting] {
        var settings = formats
        settings += [StorageSetting(pageSize: 16_384), StorageSetting(pageSize: 16_384, hmac: .sha256)]
        settings += [StorageSetting(cacheMegabytes: 4), StorageSetting(cacheMegabytes: 64)]
        if indexes.contains(where: { $0.type == .string && JSONExtract.canExpress($0.path) }) {
            settings.append(StorageSetting(indexes: .json1))
        }
        if indexes.contains(where: { $0.type == .fullText }) {
            settings.append(StorageSetting(indexes: .noText))
        }
        return settings
    }
}
