import Soups

/// The control information about the properties of an object, from members of the form `Prop@...`.
struct PropertyInfos {
    struct Info {
        var type: StatedType?
        var count: Int64?
        var nextLink: URLReference?
        /// The base of URLs in the value, by a context URL of its own.
        var base: BaseURL?
        var isNavigation = false
        var isDelta = false
    }

    private var names: [String] = []
    private var infos: [Info] = []
    /// The positions of the names, as soon as there are more than a few.
    private var positions: [ByteKey: Int] = [:]

    /// The number of names among which a search is faster than a hash.
    private static let few = 8

    var isEmpty: Bool { infos.isEmpty }

    subscript(_ name: String) -> Info? { position(of: name).map { infos[$0] } }

    subscript(at position: Int) -> Info {
        get { infos[position] }
        _modify { yield &infos[position] }
    }

    /// The position of what is known about a property, which is added if nothing was known.
    mutating func position(adding name: String) -> Int {
        if let known = position(of: name) {
            return known
        }
        names.append(name)
        infos.append(Info())
        if names.count == Self.few + 1 {
            for (position, name) in names.enumerated() {
                positions[ByteKey(name)] = position
            }
        } else if names.count > Self.few {
            positions[ByteKey(name)] = names.count - 1
        }
        return names.count - 1
    }

    private func position(of name: String) -> Int? {
        if names.count > Self.few {
            return positions[ByteKey(name)]
        }
        return names.firstIndex { $0.hasBytes(of: name) }
    }
}
