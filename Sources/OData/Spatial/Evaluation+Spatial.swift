import Soups

extension Evaluation {
    /// Computes `geo.distance`, `geo.length` and `geo.intersects`: on a plane in its units, on the Earth in metres
    /// along the ellipsoid of WGS 84.
    ///
    /// Null for shapes that the function does not take and for two of different systems. Other systems of the Earth are
    /// `unsupported`: their ellipsoids are not known here.
    func spatial(
        _ function: CanonicalFunction, _ arguments: [Value], _ nodes: [Int], _ offset: Int
    ) throws(Fault) -> Value {
        let families = zip(arguments, nodes).map { family($0.0, evaluator.types[$0.1]) }
        // What nobody declared has the family of the other side; GeoJSON alone is about the Earth.
        let known = families.compactMap { $0 }.first ?? true
        var shapes: [SpatialShape] = []
        for (argument, family) in zip(arguments, families) {
            guard let shape = shape(argument, isGeography: family ?? known) else {
                return .null
            }
            shapes.append(shape)
        }
        guard let first = shapes.first, let last = shapes.last, first.isGeography == last.isGeography,
            first.system == last.system
        else {
            return .null
        }
        if first.isGeography, first.system != SpatialShape.worldSystem {
            throw Fault(
                .unsupported,
                "\(function.name) supports only the reference system \(SpatialShape.worldSystem) for geography",
                offset: offset)
        }
        switch (function, first.form, last.form) {
        case (.geoDistance, .point, .point):
            return .value(.double(try length([first.parts[0][0], last.parts[0][0]], first.isGeography, offset)))
        case (.geoLength, .line, _): return .value(.double(try length(first.parts[0], first.isGeography, offset)))
        case (.geoIntersects, .point, .polygon):
            guard let isInside = SpatialPolygon.contains(first.parts[0][0], last) else {
                throw Fault(.unsupported, "the polygon is larger than half of the Earth; split it", offset: offset)
            }
            return .boolean(isInside)
        default: return .null
        }
    }

    /// Whether a value is one of the Earth or of a plane; nil where nothing says so.
    private func family(_ value: Value, _ declared: StaticType) -> Bool? {
        var type = declared.primitive
        if case .value(.spatial(let own, _)) = value {
            type = own
        }
        guard let type, type.isSpatial else { return nil }
        return type.rawValue.utf8.starts(with: "Edm.Geography".utf8)
    }

    private func shape(_ value: Value, isGeography: Bool) -> SpatialShape? {
        switch value {
        case .value(.spatial(_, let text)), .text(let text): SpatialShape(text, isGeography: isGeography)
        case .node(let node): SpatialShape(node, isGeography: isGeography)
        default: nil
        }
    }

    /// The length of the way through the positions.
    private func length(
        _ positions: [SpatialShape.Position], _ isGeography: Bool, _ offset: Int
    ) throws(Fault) -> Double {
        var sum = 0.0
        for (a, b) in zip(positions, positions.dropFirst()) {
            guard isGeography else {
                sum += ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
                continue
            }
            guard let part = Geodesic.metres(from: a, to: b) else {
                throw Fault(
                    .unsupported,
                    "two points are nearly opposite each other on the Earth; no unique shortest line joins them",
                    offset: offset)
            }
            sum += part
        }
        return sum
    }
}
