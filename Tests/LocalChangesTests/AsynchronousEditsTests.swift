import JSONText
import LocalChanges
import OfflineStore
import Soups
import Testing

/// The asynchronous forms of local edits.
@Suite struct AsynchronousEditsTests {
    @Test func `asynchronous edits do what blocking ones do`() async throws {
        let setup = try EditFolder()
        let id = try setup.addClean(["Id": "003A", "Name": "Bo"])
        let edits = setup.edits()
        let created = try await edits.create(["Name": "Ada"])
        #expect(created["__locally_created__"] == true)
        let updated = try await edits.update(id, changes: ["Name": "Grace"])
        #expect(updated["__locally_updated__"] == true)
        let deleted = try await edits.delete(id)
        #expect(deleted?["__locally_deleted__"] == true)
        #expect(try await edits.undelete(id)["__locally_deleted__"] == false)
        #expect(try await edits.pending().countEntries() == 2)
        #expect(try await edits.discard(id)?["Name"] == "Bo")
        #expect(try setup.pending() == [2])
    }

    @Test func `an edit of a cancelled task changes nothing`() async throws {
        let setup = try EditFolder()
        let id = try setup.addClean(["Name": "Bo"])
        let before = try setup.row(id)
        let edits = setup.edits()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await edits.update(id, changes: ["Name": "Grace"])
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try setup.row(id) == before)
    }

    @Test func `an asynchronous edit throws the fault of its blocking form`() async throws {
        let setup = try EditFolder()
        let fault = await #expect(throws: Fault.self) { _ = try await setup.edits().update(7, changes: ["a": 1]) }
        #expect(fault?.code == .invalidEntry)
    }
}
