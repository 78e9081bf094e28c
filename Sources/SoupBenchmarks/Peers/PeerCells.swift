import Benchmarking
import Soups

/// The store next to the libraries that people would pick instead: the same documents, settings and durability, each in
/// a process of its own, in turn. There are no such cells unless a variable names a peer; see `PeerProgram`.
enum PeerCells: CellSource {
    /// The store with JSON bytes in and out.
    private static let ours: Arm = "ours"
    /// The store with Swift values in and out.
    private static let codable: Arm = "ours-codable"
    /// Bytes, in a store whose full-text path has no ordinary index of whole texts, as the peers' tables have none.
    private static let oneIndex: Arm = "ours-without-text-index"

    static func cells(_ scope: CellScope) -> [Cell] {
        let peers = PeerProgram.allCases.filter { $0.path != nil }
        guard scope.documents == nil, !peers.isEmpty else {
            return []
        }
        return StoreCorpus.all(scope).flatMap { corpus in PeerWork.allCases.map { cell($0, corpus, peers) } }
    }

    private static func cell(_ work: PeerWork, _ corpus: StoreCorpus, _ peers: [PeerProgram]) -> Cell {
        let own = work == .insertFullText ? [ours, codable, oneIndex] : [ours, codable]
        return Cell(
            "peer-" + work.rawValue, corpus.parameters(), revision: 2, summary: work.summary,
            arms: own + peers.map(\.arm), comparisons: peers.flatMap { comparisons(work, $0) },
            style: work.writes ? .once : .repeated, pairs: 10
        ) { arm, workplace in
            if let peer = PeerProgram(rawValue: arm.work.name) {
                return try peer.prepare(work, corpus, workplace)
            }
            return try OwnPeerWork.prepare(
                work, asValues: arm.work == codable, fullTextIndexes: arm.work != oneIndex, corpus, workplace)
        }
    }

    /// Like is compared with like: values with values, texts with texts.
    private static func comparisons(_ work: PeerWork, _ peer: PeerProgram) -> [Cell.Comparison] {
        switch peer {
        case .grdbCodable: [.init(codable, peer.arm)]
        case .grdb, .python:
            work == .insertFullText
                ? [.init(ours, peer.arm), .init(oneIndex, peer.arm)] : [.init(ours, peer.arm)]
        }
    }
}
