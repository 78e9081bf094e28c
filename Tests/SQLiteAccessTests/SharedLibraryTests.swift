import Libc
import Platform
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// A process that has another SQLite already, as an app has that also uses GRDB: APP-06.
@Suite(.serialized) struct SharedLibraryTests {
    @Test(.enabled(if: BackEnds.available.contains(.cipher), "SQLCipher is absent"))
    func `both libraries work without an option, and the other one is unharmed`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            do {
                // Its names are found first by every library that is loaded later, as those of a linked one.
                guard let other = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_GLOBAL) else {
                    print("there is no libsqlite3.so.0")
                    leave(3)
                }
                typealias Exec = @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, Int, Int, Int) -> Int32
                typealias Open = @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
                let open = unsafeBitCast(dlsym(other, "sqlite3_open"), to: Open.self)
                let exec = unsafeBitCast(dlsym(other, "sqlite3_exec"), to: Exec.self)
                let folder = try TemporaryFolder()
                var database: OpaquePointer?
                func otherWorks(_ sql: String) -> Bool { exec(database, sql, 0, 0, 0) == 0 }
                guard open(folder.file("other.db"), &database) == 0,
                    otherWorks("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
                else {
                    leave(4)
                }

                let plain = try SQLiteLibrary.find(.plain)
                guard case .shared = plain.source else { leave(5) }
                let cipher = try SQLiteLibrary.find(.cipher)
                guard case .loaded = cipher.source else { leave(6) }
                for (library, key) in [(plain, nil), (cipher, nil), (cipher, try BackEnds.key())] {
                    let name = "\(library.flavour.rawValue)-\(key == nil)"
                    let connection = try Connection(path: folder.file(name), library: library, key: key)
                    try connection.execute("CREATE VIRTUAL TABLE f USING fts5(x); INSERT INTO f VALUES ('one two')")
                    guard try connection.integer("SELECT count(*) FROM f WHERE f MATCH 'two'") == 1 else { leave(7) }
                    guard otherWorks("INSERT INTO t SELECT x + 1 FROM t") else { leave(8) }
                    connection.close()
                    if let key {
                        let again = try Connection(path: folder.file(name), library: library, key: key)
                        guard try again.integer("SELECT count(*) FROM f") == 1 else { leave(9) }
                    }
                }
                guard otherWorks("PRAGMA integrity_check; DROP TABLE t") else { leave(10) }
                // Asked for explicitly.
                let own = try SQLiteLibrary.find(.plain, isolation: .deepBind)
                guard case .loaded = own.source, plain !== own else { leave(11) }
                do {
                    _ = try SQLiteLibrary.find(.cipher, isolation: .shared)
                    leave(12)
                } catch {
                    leave((error as? Fault)?.code == .libraryUnavailable ? 0 : 13)
                }
            } catch {
                print(error)
                leave(2)
            }
        }
    }

    /// SQLite as a library that binds its calls to itself, and one that looks like a sanitizer; nil where there is no
    /// compiler or no archive of SQLite.
    private static let built: (folder: TemporaryFolder, symbolic: String, sanitizer: String)? = {
        let archive = "/usr/lib/x86_64-linux-gnu/libsqlite3.a"
        let compiler = "/usr/bin/env"
        guard File.exists(archive), let folder = try? TemporaryFolder() else { return nil }
        let (symbolic, sanitizer) = (folder.file("symbolic.so"), folder.file("sanitizer.so"))
        let source = folder.file("sanitizer.c")
        guard (try? File.replace(source, with: Array("void __tsan_init(void) {}\n".utf8))) != nil else { return nil }
        let whole = ["-Wl,--whole-archive", archive, "-Wl,--no-whole-archive", "-lm", "-ldl", "-lpthread", "-lz"]
        for arguments in [
            ["clang", "-shared", "-Wl,-Bsymbolic", "-o", symbolic] + whole,
            ["clang", "-shared", "-fPIC", "-o", sanitizer, source],
        ] {
            guard let child = try? ChildProcess(compiler, arguments), child.wait() == .exited(code: 0) else {
                return nil
            }
        }
        return (folder, symbolic, sanitizer)
    }()

    @Test(
        .enabled(if: SharedLibraryTests.built != nil, "there is no compiler, or no archive of SQLite"),
        .enabled(if: BackEnds.available.contains(.cipher), "SQLCipher is absent"))
    func `where deep binding is not safe, a library that binds to itself is loaded, and no other`() async throws {
        let built = try #require(Self.built)
        await #expect(processExitsWith: .exitCode(0)) {
            [symbolic = built.symbolic as String, sanitizer = built.sanitizer as String] in
            guard dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_GLOBAL) != nil,
                dlopen(sanitizer, RTLD_NOW | RTLD_GLOBAL) != nil
            else {
                leave(3)
            }
            do {
                let library = try SQLiteLibrary.load(.plain, at: symbolic)
                guard case .loaded = library.source else { leave(4) }
                let connection = try Connection(inMemory: library)
                try connection.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
                guard try connection.integer("SELECT count(*) FROM t") == 1 else { leave(5) }
                _ = try SQLiteLibrary.find(.cipher)
                leave(6)
            } catch {
                print(error)
                let isRight = (error as? Fault)?.code == .libraryUnavailable
                leave(isRight && "\(error)".contains("sanitizer") ? 0 : 7)
            }
        }
    }

    @Test func `without another SQLite a library is loaded for itself`() throws {
        guard case .loaded(let path) = try BackEnd.plain.library().source else {
            Issue.record("it is not loaded")
            return
        }
        #expect(path.contains("sqlite3"))
    }
}
