import Conformance
import SQLiteAccess
import TestSupport
import Testing

/// Runs every vector file on every back end. A test reports all failed cases, and the result bytes of all back ends are
/// compared.
@Suite struct VectorTests {
    private static let reference = ReferenceResults()

    @Test(arguments: Corpora.runs)
    func `every case passes`(file: String, backEnd: BackEnd) throws {
        let files = try Corpora.read(file)
        try backEnd.skipIfMissing(cases: files.reduce(0) { $0 + $1.cases.count })
        let run = ConformanceRun(files: files, reference: Self.reference)
        run.run(
            on: ConformanceRun.Arm(store: backEnd), expected: try Corpora.expected(backEnd.rawValue, in: files),
            isRequired: true)
        let report = ConformanceReport(run.results)
        #expect(report.redLines == [])
        // A case is skipped only if the back end lacks a capability.
        let runnable = files.flatMap(\.cases).filter { $0.missingCapability(among: backEnd.capabilities) == nil }
        #expect(run.results.filter(\.status.isExecuted).count == runnable.count)
    }

    @Test(arguments: BackEnd.allCases)
    func `enough cases can run`(backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let capabilities = backEnd.capabilities
        let cases = try Corpora.all().flatMap(\.cases)
        let runnable = cases.filter { $0.missingCapability(among: capabilities) == nil }.count
        // Raise it when vectors are added. A smaller number means that files or a capability were lost.
        #expect(
            runnable >= (backEnd == .plain ? 340 : 355),
            "\(runnable) of \(cases.count) cases can run on \(backEnd.rawValue)")
    }

    @Test func `cipher is here where it has to be`() {
        #expect(
            !BackEnds.cipherIsRequired || BackEnds.missing.isEmpty,
            "no SQLCipher 4 here: run ci/setup, or set SOUP_WITHOUT_CIPHER=1 if that is meant")
    }

    /// The results must not depend on journal modes and page sizes, with a key and without one.
    @Test(
        arguments: [BackEnd.plain, .cipher],
        [(ConnectionSettings.JournalMode.delete, 4096), (.wal, 1024), (.delete, 65536)])
    func `rows are the same for every journal mode and page size`(
        backEnd: BackEnd, mode: (ConnectionSettings.JournalMode, Int)
    ) throws {
        try backEnd.skipIfMissing()
        let files = try ["store/retrieval-removal.json", "store/alter.json", "query/paging.json"].flatMap(Corpora.read)
        var settings = ConnectionSettings()
        (settings.journalMode, settings.pageSize) = mode
        let name = "\(backEnd.rawValue) \(mode.0.rawValue) \(mode.1)"
        let run = ConformanceRun(files: files, reference: Self.reference)
        run.run(on: ConformanceRun.Arm(store: backEnd, settings: settings, name: name), isRequired: true)
        let report = ConformanceReport(run.results)
        #expect(report.redLines == [])
        #expect(run.results.filter(\.status.isExecuted).count >= 65)
    }

    @Test func `a case names its source`() throws {
        for vectorCase in try Corpora.all().flatMap(\.cases) {
            #expect(vectorCase.source?.isEmpty == false, "\(vectorCase.id)")
        }
    }

    /// `ci/name-capabilities` writes them into the files.
    @Test func `a case names the capabilities that its calls need`() throws {
        for vectorCase in try VectorFolder(paths: [Corpora.folder]).files.flatMap(\.cases) {
            #expect(vectorCase.unnamedCapabilities == [], "\(vectorCase.id)")
        }
    }

    @Test func `levels have enough cases`() throws {
        let levels = try VectorFolder(paths: [Corpora.folder]).files.flatMap(\.cases).map(\.level)
        // Raise them when vectors are added. Smaller numbers mean that cases need more than they have to.
        #expect(levels.filter { $0 == .core }.count >= 250)
        #expect(levels.filter { $0 == .full }.count >= 430)
    }

    @Test func `no case of the corpora waits for a later version`() throws {
        let later = Set(Capability.later.map(\.rawValue))
        for vectorCase in try Corpora.all().flatMap(\.cases) {
            #expect(later.isDisjoint(with: vectorCase.requires), "\(vectorCase.id)")
        }
    }

    @Test func `a file has at most sixty cases`() throws {
        for file in try Corpora.all() {
            #expect(file.cases.count <= 60, "\(file.path)")
        }
    }
}

extension BackEnd {
    /// The capabilities that a back end reports.
    fileprivate var capabilities: Set<Capability> {
        guard let backEnd = try? StoreBackEnd(self) else {
            return []
        }
        defer { backEnd.close() }
        return backEnd.capabilities
    }
}
