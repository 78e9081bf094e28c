package import JSONText
package import SQLiteAccess
import Soups

/// The SQLite libraries that a run uses, or why one is missing.
package struct Libraries: Sendable {
    package let plain: SQLiteLibrary?
    package let cipher: SQLiteLibrary?
    /// Why libraries could not be loaded.
    package let missing: [String]

    package static func find() -> Libraries {
        var missing: [String] = []
        func load(_ flavour: SQLiteLibrary.Flavour) -> SQLiteLibrary? {
            do throws(Fault) {
                return try SQLiteLibrary.find(flavour)
            } catch {
                missing.append(error.message)
                return nil
            }
        }
        return Libraries(plain: load(.plain), cipher: load(.cipher), missing: missing)
    }

    private var found: [(String, SQLiteLibrary)] {
        [("plain", plain), ("cipher", cipher)].compactMap { name, library in library.map { (name, $0) } }
    }

    package var json: JSONValue {
        .object(
            JSONObject(
                found.map { name, library in
                    (
                        name,
                        [
                            "version": .string(library.version), "source_id": .string(library.sourceID),
                            "cipher_version": library.capabilities.cipherVersion.map { .string($0) } ?? .null,
                            "options_hash": .string(Self.hash(library.compileOptions)),
                            "fts5": .bool(library.capabilities.fts5),
                        ]
                    )
                }))
    }

    /// Versions and options of both, for the fingerprint and for comparing runs.
    package var identity: String {
        found.map { name, library in
            [name, library.version, library.capabilities.cipherVersion ?? "", Self.hash(library.compileOptions)].joined(
                separator: " ")
        }.joined(separator: "; ")
    }

    private static func hash(_ options: [String]) -> String {
        String(SHA256.hex(Array(options.joined(separator: "\n").utf8)).prefix(12))
    }
}
