import Soups

extension Evaluation {
    /// Evaluates `geo.distance`: in the units of a plane, or on the Earth in metres along the ellipsoid of WGS 84.
    mutating func geoDistance(_ arguments: [Value], at index: Int) throws(Fault) -> Value {
        guard let (first, last) = try shapes(arguments, at: index), first.form == .point, last.form == .point else {
            return .null
        }
        return .value(.double(try length([first.parts[0][0], last.parts[0][0]], first.isGeography, at: index)))
    }

    /// Evaluates `geo.length`, in the units of `geo.distance`.
    mutating func geoLength(_ arguments: [Value], at index: Int) throws(Fault) -> Value {
        guard let (line, _) = try shapes(arguments, at: index), line.form == .line else {
            return .null
        }
        return .value(.double(try length(line.parts[0], line.isGeography, at: index)))
    }

    /// Evaluates `geo.intersects`: whether a point is inside a polygon.
    mutating func geoIntersects(_ arguments: [Value], at index: Int) throws(Fault) -> Value {
        guard let (point, polygon) = try shapes(arguments, at: index), point.form == .point, polygon.form == .polygon
        else {
            return .null
        }
        guard let isInside = SpatialPolygon.contains(point.parts[0][0], polygon) else {
            throw Fault(
                .unsupported, "the polygon is larger than half of the Earth; split it",
                offset: node(index).range.lowerBound)
        }
        return .boolean(isInside)
    }

    /// The first and the last argument as shapes; nil if an argument is not a shape or if their reference systems
    /// differ.
    ///
    /// Throws `unsupported` for shapes on the Earth in another reference system than WGS 84, because the ellipsoids of
    /// other systems are unknown here.
    private mutating func shapes(
        _ arguments: [Value], at index: Int
    ) throws(Fault) -> (first: SpatialShape, last: SpatialShape)? {
        let families = zip(arguments, evaluator.expression.children(of: index)).map { family($0, evaluator.types[$1]) }
        // A shape without a declared type has the family of the other argument. If neither has a declared type, both
        // are GeoJSON, which describes shapes on the Earth.
        let known = families.compactMap { $0 }.first ?? true
        var shapes: [SpatialShape] = []
        for (argument, family) in zip(arguments, families) {
            guard let shape = shape(argument, isGeography: family ?? known) else { return nil }
            try budget.spend(shape.parts.reduce(1) { $0 + $1.count })
            shapes.append(shape)
        }
        guard let first = shapes.first, let last = shapes.last, first.isGeography == last.isGeography,
            first.system == last.system
        else {
            return nil
        }
        if first.isGeography, first.system != SpatialShape.worldSystem {
            throw Fault(
                .unsupported, "geography is supported only in the reference system \(SpatialShape.worldSystem)",
                offset: node(index).range.lowerBound)
        }
        return (first, last)
    }

    /// Whether a value is geography, on the Earth, or geometry, on a plane; nil if its type is unknown.
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

    /// The length of the line through the positions.
    private func length(
        _ positions: [SpatialShape.Position], _ isGeography: Bool, at index: Int
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
                    offset: node(index).range.lowerBound)
            }
            sum += part
        }
        return sum
    }
}
