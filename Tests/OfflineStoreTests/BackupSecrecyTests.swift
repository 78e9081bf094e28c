import FoundationEssentials
import Platform
import SQLiteAccess
import Soups
import Synchronization
import TestSupport
import Testing

@testable import OfflineStore

/// No text of an entry is readable in an encrypted copy, at any moment of copying: APP-51.
@Suite(.serialized, .enabled(if: BackEnds.available.contains(.cipher), "SQLCipher is absent"))
struct BackupSecrecyTests {
    /// How a file is encrypted.
    struct Layout: Sendable, CustomTestStringConvertible {
        var pageSize: Int
        var iterations: Int?
        var compatibility: Int?
        var hasPlainHeader = false

        var testDescription: String {
            "\(pageSize) \(iterations ?? 0) \(compatibility ?? 4)\(hasPlainHeader ? " header" : "")"
        }

        func apply(to settings: inout ConnectionSettings) {
            settings.pageSize = pageSize
            settings.cipher.kdfIterations = iterations
            settings.cipher.compatibility = compatibility
            guard hasPlainHeader else { return }
            settings.cipher.plaintextHeaderSize = 32
            settings.cipher.salt = (0..<16).map { $0 + 1 }
        }
    }

    /// The product of page size, rounds, format and plain header.
    static let layouts: [Layout] = [1024, 4096, 8192, 65536].flatMap { pageSize in
        [nil, 4000].flatMap { iterations in
            [nil, 3, 1].flatMap { compatibility in
                [false, true].map { header in
                    Layout(
                        pageSize: pageSize, iterations: iterations, compatibility: compatibility,
                        hasPlainHeader: header)
                }
            }
        }
    }

    /// Some of the layouts; all of them with `SOUP_ALL_LAYOUTS`.
    static let tried: [Layout] =
        ProcessInfo.processInfo.environment["SOUP_ALL_LAYOUTS"] != nil
        ? layouts : stride(from: 0, to: layouts.count, by: 5).map { layouts[$0] } + [Layout(pageSize: 8192)]

    @Test(arguments: tried)
    func `no file of an encrypted copy, finished or not, has a text of an entry`(_ layout: Layout) async throws {
        let temporary = Self.temporaryFiles()
        let filled = try blocking { try FilledStore(.cipher, entries: 200) { layout.apply(to: &$0.settings) } }
        let folder = filled.setup.folder.path
        #expect(try FilledStore.files(below: folder, with: FilledStore.marker) == [])
        let seen = Mutex<Set<String>>([])
        let looks = Mutex(0)
        let keys: [CopyKey] = [.same, .key(try BackEnds.key(50)), .key(try BackEnds.key(51), Self.other)]
        for key in keys {
            _ = try await filled.store.backup(to: filled.copy, key: key) { _ in
                let found = (try? FilledStore.files(below: folder, with: FilledStore.marker)) ?? ["unreadable"]
                seen.withLock { $0.formUnion(found) }
                looks.withLock { $0 += 1 }
            }
            #expect(try FilledStore.files(below: folder, with: FilledStore.marker) == [])
            try blocking {
                var options = try filled.setup.options { layout.apply(to: &$0.settings) }.copied(with: key)
                options.access = .readOnly
                let copy = try SmartStore(path: filled.copy, options: options)
                #expect(try FilledStore.contents(copy) == FilledStore.contents(filled.store))
                try copy.close()
            }
            // A restoration is a copy too.
            try await SmartStore.restore(
                from: filled.copy, key: try filled.setup.options().copied(with: key).key,
                to: folder + "/restored.db", storeKey: .key(try BackEnds.key(52)), replacing: true,
                options: filled.setup.options { layout.apply(to: &$0.settings) }.copied(with: key))
            #expect(try FilledStore.files(below: folder, with: FilledStore.marker) == [])
            Folder.removeTree(filled.copy)
            Folder.removeTree(filled.copy + "_external_soup_blobs")
        }
        #expect(seen.withLock { $0 } == [])
        #expect(looks.withLock { $0 } >= 2 * keys.count)
        let new = Self.temporaryFiles().subtracting(temporary)
        let readable = try new.filter { try !FilledStore.files(below: $0, with: FilledStore.marker).isEmpty }
        #expect(readable == [])
    }

    private static let other = CipherSettings(kdfIterations: 4000, hmacAlgorithm: .sha256)

    /// Files of SQLite among the temporary ones.
    private static func temporaryFiles() -> Set<String> {
        let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        return Set(Folder.names(in: folder).filter { $0.hasPrefix("etilqs") }.map { folder + "/" + $0 })
    }

    // MARK: - The rule

    /// The trial for which `VACUUM INTO` is never used: what it writes on an encrypted connection is plain text, or
    /// opens with other settings than those of the store.
    @Test func `VACUUM INTO of an encrypted store is readable or does not open with its settings`() throws {
        var outcomes: [String: String] = [:]
        for layout in Self.layouts where layout.pageSize >= 4096 && layout.iterations == nil {
            let filled = try FilledStore(.cipher) { layout.apply(to: &$0.settings) }
            try filled.store.connections.write { (session, _) throws(Fault) in
                try session.connection.execute("VACUUM INTO '\(filled.copy)'")
            }
            let isReadable = try !FilledStore.files(below: filled.copy, with: FilledStore.marker).isEmpty
            var options = try filled.setup.options { layout.apply(to: &$0.settings) }
            options.access = .readOnly
            let opens = faultCode { _ = try SmartStore(path: filled.copy, options: options) } == nil
            outcomes[layout.testDescription] = isReadable ? "plain text" : opens ? "encrypted" : "does not open"
        }
        print("VACUUM INTO: \(outcomes.sorted { $0.key < $1.key })")
        let version = try BackEnd.cipher.library().capabilities.cipherVersion ?? ""
        guard version.hasPrefix("4.6.") else { return }
        // Which of both it is differs from run to run.
        #expect(outcomes["65536 0 4"] != "encrypted")
        #expect(outcomes["8192 0 4"] != "encrypted")
    }

    @Test func `no statement of the library copies by VACUUM INTO`() throws {
        let sources = TestData.packageRoot + "/Sources"
        var folders = [sources]
        var uses: [String] = []
        var count = 0
        while let folder = folders.popLast() {
            for name in Folder.names(in: folder) {
                let path = folder + "/" + name
                if FileStatus(ofLink: path)?.kind == .folder {
                    folders.append(path)
                    continue
                }
                guard name.hasSuffix(".swift") || name.hasSuffix(".c") else { continue }
                count += 1
                let text = String(decoding: try File.read(path) ?? [], as: UTF8.self)
                for line in text.split(separator: "\n") where line.uppercased().contains("VACUUM INTO") {
                    let code = line.drop { $0 == " " }
                    if !code.hasPrefix("//") && !code.hasPrefix("*") && !code.hasPrefix("/*") {
                        uses.append("\(path): \(code)")
                    }
                }
            }
        }
        #expect(count > 500)
        #expect(uses == [])
    }
}
