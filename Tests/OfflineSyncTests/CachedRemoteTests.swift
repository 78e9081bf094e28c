import OfflineStore
import OfflineSync
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// What an app may do wrongly with a cached remote. The modes are shown by `Corpora/cache`.
@Suite struct CachedRemoteTests {
    @Test func `the mode is that of the call, else that of the operation`() async throws {
        let setup = try CacheFolder()
        setup.remote["1"] = ["Id": "1", "Name": "a"]
        var accounts = setup.accounts
        accounts.cacheMode = { $0 == .read ? .cacheOnly : .serverFirst }
        #expect(try await accounts.read("1").record == nil)
        #expect(try await accounts.read("1", mode: .serverFirst).record?["Name"] == "a")
        #expect(try await accounts.read("1").isFromCache)
        accounts.mergeMode = .failIfChanged
        setup.remote.change("1", "Name", "b")
        #expect(try await conflict { _ = try await accounts.update("1", with: ["X": 1]) }?.changes.remote == ["Name"])
        _ = try await accounts.update("1", with: ["X": 1], mergeMode: .overwrite)
        #expect(setup.remote["1"]?["Name"] == "a")
    }

    @Test func `a failure of the service writes nothing, to no soup`() async throws {
        let setup = try CacheFolder()
        setup.remote["1"] = ["Id": "1", "Name": "a"]
        _ = try await setup.accounts.read("1")
        let local = try #require(
            try await setup.accounts.create(["Name": "n"], mode: .cacheOnly).record?["Id"]?.string)
        func rows() throws -> [[UInt8]] {
            try ["accounts", "originals"].flatMap {
                try setup.store.query(.all(pageSize: 100), soup: $0).currentPage.entries.map { Array($0) }
            }
        }
        let before = try rows()
        setup.remote.failure = Fault(.unavailable, "the test says so")
        for mode in MergeMode.allCases {
            #expect(
                await faultCode {
                    _ = try await setup.accounts.update("1", with: ["Name": "b"], mergeMode: mode)
                } == .unavailable)
            #expect(await faultCode { try await setup.accounts.delete("1", mergeMode: mode) } == .unavailable)
        }
        #expect(await faultCode { _ = try await setup.accounts.create(["Name": "c"]) } == .unavailable)
        #expect(await faultCode { _ = try await setup.accounts.update(local, with: [:]) } == .unavailable)
        #expect(
            try Outbox(setup.store).doubts(inSoup: "accounts").count == 1,
            "this remote does not say that nothing was done")
        #expect(await faultCode { _ = try await setup.accounts.read("1") } == .unavailable)
        #expect(try rows() == before)
    }

    @Test func `a record that moves to its new id keeps an edit that was made meanwhile`() async throws {
        let setup = try CacheFolder()
        let edits = LocalEdits(setup.store, soup: "accounts")
        let local = try #require(
            try await setup.accounts.create(["Name": "n"], mode: .cacheOnly).record?["Id"]?.string)
        setup.remote.beforeNextChange { _ = try edits.update(1, changes: ["Name": "late"]) }
        let moved = try await setup.accounts.update(local, with: [:])
        #expect(moved.record?["Id"] == "001" && moved.record?["Name"] == "late")
        let row = try #require(try setup.cache.retrieve("001"))
        #expect(LocalFlags(of: row).operation == .update)
        #expect(setup.remote["001"]?["Name"] == "n")
        _ = try await setup.accounts.update("001", with: [:], mergeMode: .failIfChanged)
        #expect(setup.remote["001"]?["Name"] == "late")
    }

    @Test func `a local record that is removed while it is created is not stored again`() async throws {
        let setup = try CacheFolder()
        let local = try #require(
            try await setup.accounts.create(["Name": "n"], mode: .cacheOnly).record?["Id"]?.string)
        setup.remote.beforeNextChange { try setup.cache.remove(local) }
        #expect(try await setup.accounts.update(local, with: [:]).record?["Id"] == "001")
        #expect(try await setup.store.count(.all(), soup: "accounts") == 0)
    }

    @Test func `a create of a record that has a local id moves that record`() async throws {
        let setup = try CacheFolder()
        let local = try #require(try await setup.accounts.create(["Name": "n"], mode: .cacheOnly).record)
        let created = try await setup.accounts.create(local)
        #expect(created.record?["Id"] == "001" && created.record?["__local__"] == false)
        #expect(try await setup.store.count(.all(), soup: "accounts") == 1)
        #expect(setup.remote.takeCalls() == [#"create {"Name":"n"}"#])
    }

    @Test func `a cancelled call changes nothing`() async throws {
        let setup = try CacheFolder()
        setup.remote["1"] = ["Id": "1", "Name": "a"]
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await setup.accounts.read("1")
        }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(try await setup.store.count(.all(), soup: "accounts") == 0)
    }

    @Test func `fields that are named twice or reserved are sent once or not at all`() async throws {
        let setup = try CacheFolder()
        _ = try await setup.accounts.create(
            ["Name": "n", "Owner": ["Name": "o"], "__local__": true, "attributes": ["type": "A"]],
            fields: ["Name", "Name", "Id", "__local__", "attributes", "Owner.Name", "Missing"])
        #expect(setup.remote.takeCalls() == [#"create {"Name":"n","Owner.Name":"o"}"#])
    }

    @Test func `a conflict and the faults of a service tell nothing of a record`() async throws {
        let setup = try CacheFolder()
        setup.remote["1"] = ["Id": "1", "Name": "secret-a"]
        _ = try await setup.accounts.read("1")
        setup.remote.change("1", "Name", "secret-b")
        var texts: [String] = []
        do {
            _ = try await setup.accounts.update("1", with: ["Name": "secret-c"], mergeMode: .failIfConflict)
        } catch let conflict as MergeConflict {
            #expect(conflict.fault.code == .conflict)
            texts.append("\(conflict.fault)")
        }
        for answer in [
            ServiceResponse(status: 400, body: Array(#"[{"errorCode":"secret","message":"secret"}]"#.utf8)),
            ServiceResponse(status: 200, body: Array(#"{"Id":"secret-id"}"#.utf8)),
            ServiceResponse(status: 200, body: Array(#"{"secret"#.utf8)),
        ] {
            let service = ServiceRemote(OneAnswer(answer: answer), objectType: "Account")
            do {
                _ = try await service.read("001A", fields: ["secretField"])
            } catch {
                texts.append("\(error)")
            }
        }
        #expect(texts.count == 4)
        #expect(texts.allSatisfy { !$0.contains("secret") }, "\(texts)")
    }

    @Test func `an answer beyond the limit and a transport that throws anything have their codes`() async throws {
        let long = ServiceRemote(
            OneAnswer(answer: ServiceResponse(status: 200, body: Array(repeating: 32, count: (64 << 20) + 1))),
            objectType: "A")
        #expect(await faultCode { _ = try await long.read("1", fields: nil) } == .limitExceeded)
        let broken = ServiceRemote(OneAnswer(answer: nil), objectType: "A")
        #expect(await faultCode { _ = try await broken.create(["a": 1]) } == .noAnswer)
    }
}

/// Gives one answer to every request, or throws an error of its own.
private struct OneAnswer: Transport {
    struct Broken: Error {}
    let answer: ServiceResponse?

    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        guard let answer else { throw Broken() }
        return answer
    }
}
