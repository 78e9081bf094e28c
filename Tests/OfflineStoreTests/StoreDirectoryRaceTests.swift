import FoundationEssentials
import Libc
import SQLiteAccess
import Soups
import Synchronization
import TestSupport
import Testing

@testable import OfflineStore

/// Opening and removing stores of one directory from several threads, and from the closure that gives their options.
@Suite(.serialized)
struct StoreDirectoryRaceTests {
    private typealias StoreName = StoreDirectory.StoreName

    private static func options(_ folder: TemporaryFolder) throws -> StoreOptions {
        var options = StoreOptions(library: try BackEnd.plain.library())
        options.settings.durability = .relaxed
        options.clock = .system.keeping(folder)
        return options
    }

    private enum Removal: CaseIterable {
        case remove, removeAll, logOut

        func run(_ stores: StoreDirectory) throws {
            switch self {
            case .remove: try stores.remove(StoreName("x"))
            case .removeAll: try stores.removeAll(global: false)
            case .logOut: try stores.logOut()
            }
        }
    }

    private static func fill(_ stores: StoreDirectory) throws {
        let store = try stores.store(StoreName("x"))
        try store.registerSoup("s", indexSpecs: [.string("k")])
        try store.upsert([#"{"k":"a"}"#.bytes], into: "s")
    }

    @Test
    func `an open store is never one whose file is gone, whatever is removed at the same time`() async throws {
        let folder = try TemporaryFolder()
        let stores = try StoreDirectory(root: folder.path, user: "u") { _ in try Self.options(folder) }
        var withoutFile = 0
        var lost = 0
        for round in 0..<100 {
            let removal = Removal.allCases[round % 3]
            // Open at the beginning of each round, so that there is something to close.
            try await Threads.run { try Self.fill(stores) }
            try await Threads.run(2) { thread in
                if thread == 0 {
                    return try removal.run(stores)
                }
                for _ in 0..<4 {
                    do {
                        try Self.fill(stores)
                    } catch let fault as Fault where fault.code == .closed {
                        // A store was removed during the call.
                    }
                }
            }
            let isGone = try await Threads.run {
                let store = try stores.store(StoreName("x"))
                if !FileManager.default.fileExists(atPath: store.path) {
                    return (true, true)
                }
                try store.registerSoup("s", indexSpecs: [.string("k")])
                try store.upsert([#"{"k":"kept"}"#.bytes], into: "s")
                try stores.close()
                let again = try stores.store(StoreName("x"))
                return try (false, again.count(.exact(path: "k", matchKey: "kept"), soup: "s") != 1)
            }
            if isGone.0 {
                withoutFile += 1
            }
            if isGone.1 {
                lost += 1
                try? await Threads.run { try stores.close() }
            }
        }
        print("stores removed while opened: \(withoutFile) without a file, \(lost) lost a write, of 100 rounds")
        #expect(withoutFile == 0 && lost == 0)
    }

    @Test
    func `a store that opens slowly keeps no other store waiting`() async throws {
        let folder = try TemporaryFolder()
        let fastIsOpen = Signal()
        let fastEnded = Signal()
        let slowBegan = Signal()
        let slowEnded = Signal()
        let wasFree = Atomic(false)
        let stores = try StoreDirectory(root: folder.path, user: "u") { name in
            if name.name == "slow" {
                slowBegan.raise()
                wasFree.store(fastIsOpen.block { fastEnded.isRaised }, ordering: .releasing)
            }
            return try Self.options(folder)
        }
        try await Threads.run(2) { thread in
            if thread == 0 {
                defer { slowEnded.raise() }
                _ = try stores.store(StoreName("slow"))
            } else {
                defer { fastEnded.raise() }
                let isReady = slowBegan.block { slowEnded.isRaised }
                #expect(isReady)
                _ = try stores.store(StoreName("fast"))
                _ = try stores.store(StoreName("slow again", isGlobal: true))
                fastIsOpen.raise()
            }
        }
        let isFree = wasFree.load(ordering: .acquiring)
        #expect(isFree)
    }

    @Test(arguments: 0..<3)
    func `a removal waits for the opening of that store and closes what was opened`(_ kind: Int) async throws {
        let removal = Removal.allCases[kind]
        let folder = try TemporaryFolder()
        let began = Signal()
        let openingEnded = Signal()
        let stores = try StoreDirectory(root: folder.path, user: "u") { _ in
            // The first opening takes long enough for the removal to begin during it.
            if !began.isRaised {
                began.raise()
                usleep(300_000)
            }
            return try Self.options(folder)
        }
        let opened = Mutex<SmartStore?>(nil)
        try await Threads.run(2) { thread in
            if thread == 0 {
                defer { openingEnded.raise() }
                let store = try stores.store(StoreName("x"))
                opened.withLock { $0 = store }
            } else {
                let isReady = began.block { openingEnded.isRaised }
                #expect(isReady)
                try removal.run(stores)
            }
        }
        try await Threads.run {
            let first = try #require(opened.withLock { $0 })
            #expect(faultCode { _ = try first.allSoupNames() } == .closed)
            #expect(try !stores.exists(StoreName("x")))
            let second = try stores.store(StoreName("x"))
            #expect(second !== first)
            #expect(try second.allSoupNames() == [])
            #expect(FileManager.default.fileExists(atPath: second.path))
        }
    }

    @Test
    func `a store that its caller is reading from or writing to is not removed, and stays the same store`() async throws
    {
        let folder = try TemporaryFolder()
        let stores = try StoreDirectory(root: folder.path, user: "u") { _ in try Self.options(folder) }
        try await Threads.run {
            let store = try stores.store(StoreName("x"))
            try store.registerSoup("s", indexSpecs: [.string("k")])
            for removal in Removal.allCases {
                try store.transaction { _ in
                    try store.upsert([#"{"k":"a"}"#.bytes], into: "s")
                    #expect(faultCode { try removal.run(stores) } == .busy)
                }
            }
            #expect(try stores.store(StoreName("x")) === store)
            #expect(try store.count(.all(), soup: "s") == 3)
            try stores.remove(StoreName("x"))
        }
    }

    /// The other thread has the claim to the store and waits for the call that this one is inside of.
    @Test(arguments: 0..<3)
    func `a store removed from inside its own call is busy, also while another thread removes it`(
        _ kind: Int
    ) async throws {
        let removal = Removal.allCases[kind]
        for isWriting in [true, false] {
            let folder = try TemporaryFolder()
            let stores = try StoreDirectory(root: folder.path, user: "u") { _ in try Self.options(folder) }
            let isInside = Signal()
            let inside = OwnThread { () throws -> [Fault.Code?] in
                let store = try stores.store(StoreName("x"))
                let work = { () -> [Fault.Code?] in
                    isInside.raise()
                    if isWriting {
                        _ = Waiting.block { store.connections.gate.waitingCount(.writing) == 1 }
                    } else {
                        // A reader cannot see whether the other waits already.
                        Signal().block(for: .milliseconds(100))
                    }
                    let codes = Removal.allCases.map { removal in faultCode { try removal.run(stores) } }
                    return codes + [faultCode { try stores.close() }]
                }
                return isWriting
                    ? try store.transaction { _ in work() } : try store.connections.read { (_) throws(Fault) in work() }
            }
            try await inside.reaches(isInside)
            let outside = OwnThread { try removal.run(stores) }
            let codes = try await inside.value()
            #expect(codes == Array(repeating: .busy, count: 4))
            try await outside.value()
            let isGone = try await Threads.run { try !stores.exists(StoreName("x")) }
            #expect(isGone)
        }
    }

    /// The removal of all stores may have to close a store that was opened during it, and waits for its calls to end.
    @Test
    func `a call of one store does not wait for another one while all are removed`() async throws {
        let claims = StoreClaims()
        let isRemoving = Signal()
        let isRefused = Signal()
        let hasEnded = Signal()
        let removal = OwnThread {
            try claims.holding(.all(.init(isGlobal: false)), inside: []) { () throws(Fault) in
                isRemoving.raise()
                isRefused.block { hasEnded.isRaised }
            }
        }
        try await removal.reaches(isRemoving)
        let inside = OwnThread {
            defer { hasEnded.raise() }
            let other: Set<StoreClaims.Store> = [.init(name: StoreName("y"))]
            // Stores of another kind are not removed.
            try claims.holding(.store(.init(name: StoreName("x", isGlobal: true))), inside: other) {}
            try claims.holding(.store(.init(name: StoreName("x"), hasValues: true)), inside: other) {}
            let code = faultCode { try claims.holding(.store(.init(name: StoreName("x"))), inside: other) {} }
            isRefused.raise()
            try claims.holding(.store(.init(name: StoreName("x"))), inside: []) {}
            return code
        }
        #expect(try await inside.value() == .busy)
        try await removal.value()
    }

    /// The closure for one store removes another one, and a call of that one asks for the first store. Whoever of them
    /// would wait last is refused.
    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func `the closure that gives options and a call of a store that it removes do not wait for each other`(
        _ callWaitsFirst: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        let holder = Mutex<StoreDirectory?>(nil)
        let isInClosure = Signal()
        let isInCall = Signal()
        let removal = Mutex<Fault.Code?>(nil)
        let stores = try StoreDirectory(root: folder.path, user: "u") { name in
            if name.name == "x", !isInClosure.isRaised, let stores = holder.withLock({ $0 }) {
                isInClosure.raise()
                isInCall.block()
                if callWaitsFirst {
                    _ = Waiting.block { stores.claims.waitingCount == 1 }
                }
                let code = faultCode { try stores.remove(StoreName("y")) }
                removal.withLock { $0 = code }
            }
            return try Self.options(folder)
        }
        holder.withLock { $0 = stores }
        defer { holder.withLock { $0 = nil } }
        let y = try await Threads.run { try stores.store(StoreName("y")) }
        let opening = OwnThread { _ = try stores.store(StoreName("x")) }
        try await opening.reaches(isInClosure)
        let call = OwnThread {
            try y.transaction { _ in
                isInCall.raise()
                if !callWaitsFirst {
                    _ = Waiting.block { y.connections.gate.waitingCount(.writing) == 1 }
                }
                return faultCode { _ = try stores.store(StoreName("x")) }
            }
        }
        #expect(try await call.value() == (callWaitsFirst ? nil : .busy))
        try await opening.value()
        #expect(removal.withLock { $0 } == (callWaitsFirst ? .busy : nil))
        try await Threads.run { try stores.close() }
    }

    /// A store of soups and one of values are opened by each other's options.
    @Test(.timeLimit(.minutes(1)))
    func `closures that ask for each other's stores, of soups and of values, do not wait for each other`() async throws
    {
        let folder = try TemporaryFolder()
        let holder = Mutex<StoreDirectory?>(nil)
        let began = [Signal(), Signal()]
        let codes = Mutex<[Fault.Code?]>([])
        let stores = try StoreDirectory(root: folder.path, user: "u") { name in
            if let stores = holder.withLock({ $0 }) {
                let number = name.name == "soups" ? 0 : 1
                began[number].raise()
                began[1 - number].block()
                let code = faultCode {
                    if number == 0 {
                        _ = try stores.keyValueStore(StoreName("values"))
                    } else {
                        _ = try stores.store(StoreName("soups"))
                    }
                }
                codes.withLock { $0.append(code) }
            }
            return try Self.options(folder)
        }
        holder.withLock { $0 = stores }
        defer { holder.withLock { $0 = nil } }
        try await Threads.run(2) { thread in
            if thread == 0 {
                _ = try stores.store(StoreName("soups"))
            } else {
                _ = try stores.keyValueStore(StoreName("values"))
            }
        }
        #expect(codes.withLock { $0.filter { $0 == .busy }.count } == 1)
        try await Threads.run { try stores.close() }
    }

    @Test
    func `the closure that gives options may call the directory; calls about its own store are busy`() async throws {
        let folder = try TemporaryFolder()
        let holder = Mutex<StoreDirectory?>(nil)
        let codes = Mutex<[Fault.Code?]>([])
        let stores = try StoreDirectory(root: folder.path, user: "u") { name in
            if name.name == "outer", let stores = holder.withLock({ $0 }) {
                #expect(stores.names(global: false) == ["before"])
                #expect(try !stores.exists(StoreName("outer")) && stores.size(StoreName("before")) > 0)
                try stores.store(StoreName("inner")).registerSoup("made inside", indexSpecs: [.string("k")])
                try stores.remove(StoreName("before"))
                try stores.removeAll(global: true)
                let found = [
                    faultCode { _ = try stores.store(StoreName("outer")) },
                    faultCode { try stores.remove(StoreName("outer")) },
                    faultCode { try stores.removeAll(global: false) },
                    faultCode { try stores.logOut() },
                    faultCode { try stores.close() },
                ]
                codes.withLock { $0 = found }
            }
            return try Self.options(folder)
        }
        holder.withLock { $0 = stores }
        defer { holder.withLock { $0 = nil } }
        try await Threads.run {
            _ = try stores.store(StoreName("before"))
            _ = try stores.store(StoreName("outer"))
            #expect(stores.names(global: false) == ["inner", "outer"])
            #expect(try stores.store(StoreName("inner")).soupExists("made inside"))
        }
        #expect(codes.withLock { $0 } == Array(repeating: .busy, count: 5))
    }

    @Test
    func `two threads whose closures ask for each other's store do not wait for ever`() async throws {
        let folder = try TemporaryFolder()
        let holder = Mutex<StoreDirectory?>(nil)
        let began = Atomic(0)
        let refusals = Atomic(0)
        let stores = try StoreDirectory(root: folder.path, user: "u") { name in
            if began.add(1, ordering: .acquiringAndReleasing).newValue <= 2, let stores = holder.withLock({ $0 }) {
                let isReady = Waiting.block { began.load(ordering: .acquiring) >= 2 }
                #expect(isReady)
                do {
                    _ = try stores.store(StoreName(name.name == "a" ? "b" : "a"))
                } catch let fault as Fault where fault.code == .busy {
                    refusals.add(1, ordering: .relaxed)
                }
            }
            return try Self.options(folder)
        }
        holder.withLock { $0 = stores }
        defer { holder.withLock { $0 = nil } }
        try await Threads.run(2) { thread in _ = try stores.store(StoreName(thread == 0 ? "a" : "b")) }
        let found = refusals.load(ordering: .relaxed)
        #expect(found == 1)
        #expect(stores.names(global: false) == ["a", "b"])
    }

    @Test
    func `an opening that fails leaves the name free`() async throws {
        struct NoKey: Error {}
        let folder = try TemporaryFolder()
        let fails = Atomic(true)
        let stores = try StoreDirectory(root: folder.path, user: "u") { _ in
            if fails.load(ordering: .acquiring) {
                throw NoKey()
            }
            return try Self.options(folder)
        }
        try await Threads.run {
            #expect(faultCode { _ = try stores.store() } == .inputOutput)
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/users"))
            fails.store(false, ordering: .releasing)
            let names = try stores.store().allSoupNames()
            #expect(names.isEmpty)
        }
    }
}
