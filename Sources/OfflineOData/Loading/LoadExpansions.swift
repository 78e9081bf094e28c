import OData
import Soups

/// What a load expands of an entity, by the names of its navigation properties. Each expansion has those of its own
/// entities below it, because every level of `$expand` has options of its own.
struct LoadExpansions: Sendable {
    private var named: [ByteKey: LoadExpansion] = [:]

    /// The most levels of `$levels` that are looked at. Entities are not read deeper than that.
    private static let maximumLevels: Int64 = 8

    /// Nothing is expanded.
    init() {}

    /// - Parameter selection: The paths of `$select`, which up to version 3.0 lead into expanded entities.
    init(_ items: [ExpandItem], selection: [String], version: ODataVersion) {
        for item in version.isV4 ? items : ExpandPaths.nested(items) {
            let name = Self.navigation(of: item.path)
            let inner = version.isV4 ? [] : Self.paths(of: selection, after: name)
            let levels =
                switch item.levels {
                case .levels(let count): min(count, Self.maximumLevels)
                case .max: Self.maximumLevels
                case nil: Int64(1)
                }
            named[ByteKey(name)] = Self.expansion(item, name, levels: levels, selection: inner, version: version)
        }
    }

    var isEmpty: Bool { named.isEmpty }

    /// The expansion of a navigation property; nil for one that the query does not name. `*` stands for all of them.
    subscript(_ navigation: String) -> LoadExpansion? { named[ByteKey(navigation)] ?? named[ByteKey("*")] }

    private static func expansion(
        _ item: ExpandItem, _ name: String, levels: Int64, selection: [String], version: ODataVersion
    ) -> LoadExpansion {
        let nested = item.options
        var below = LoadExpansions(nested.expand ?? [], selection: selection, version: version)
        if levels > 1 {
            below.named[ByteKey(name)] = expansion(
                item, name, levels: levels - 1, selection: selection, version: version)
        }
        let selected = selection + (nested.select ?? []).map(\.path)
        return LoadExpansion(
            isWhole: nested.filter == nil && nested.search == nil && nested.top == nil && nested.skip == nil
                && !item.isReference && !item.isCount && !isCast(item.path),
            isPartial: isPartial(selected), below: below)
    }

    /// Whether a selection leaves properties out.
    static func isPartial(_ selection: [String]) -> Bool { !selection.isEmpty && !selection.contains("*") }

    /// The navigation property of a path, which may have types before and after it.
    private static func navigation(of path: String) -> String {
        path.segments.first { !isType($0) } ?? path
    }

    /// Whether a path asks for the related entities of one type only.
    private static func isCast(_ path: String) -> Bool {
        path.segments.drop { isType($0) }.contains { isType($0) }
    }

    private static func isType(_ segment: String) -> Bool { segment.utf8.contains(UInt8(ascii: ".")) }

    /// What a selection selects of the entities that a navigation property leads to.
    private static func paths(of selection: [String], after name: String) -> [String] {
        let start = (name + "/").utf8
        return selection.filter { $0.utf8.starts(with: start) }.map { path in
            String(Substring(path.utf8.dropFirst(start.count)))
        }
    }
}

/// One expansion of a load.
struct LoadExpansion: Sendable {
    /// Whether the answer has all related entities.
    let isWhole: Bool
    /// Whether only some properties of the related entities are asked for.
    let isPartial: Bool
    /// What is expanded of the related entities.
    let below: LoadExpansions
}
