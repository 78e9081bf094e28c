import Libc

/// Tests whether a point is inside a polygon or on its boundary. The first ring is the outline, the others are holes.
enum SpatialPolygon {
    typealias Position = SpatialShape.Position

    /// Whether a polygon contains a point, on a plane or on the Earth, where the sides are great circles. The result is
    /// nil for a polygon that does not fit into half of the Earth.
    static func contains(_ point: Position, _ polygon: SpatialShape) -> Bool? {
        guard polygon.isGeography else {
            return contains(point, polygon.parts, tolerance: 0)
        }
        guard let projection = Projection(of: polygon.parts.joined()) else { return nil }
        var rings: [[Position]] = []
        for ring in polygon.parts {
            let projected = ring.compactMap { projection.project($0) }
            guard projected.count == ring.count else { return nil }
            rings.append(projected)
        }
        // A point in the other half of the Earth is outside.
        return projection.project(point).map { contains($0, rings, tolerance: 1e-12) } ?? false
    }

    /// Counts the sides that a ray to the right of the point crosses.
    private static func contains(_ point: Position, _ rings: [[Position]], tolerance: Double) -> Bool {
        var isInside = false
        for ring in rings {
            for (a, b) in zip(ring, ring.dropFirst()) {
                let cross = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
                let isBetween =
                    min(a.x, b.x) - tolerance <= point.x && point.x <= max(a.x, b.x) + tolerance
                    && min(a.y, b.y) - tolerance <= point.y && point.y <= max(a.y, b.y) + tolerance
                if isBetween, abs(cross) <= tolerance {
                    return true
                }
                if (a.y > point.y) != (b.y > point.y), (cross > 0) == (b.y > a.y) {
                    isInside.toggle()
                }
            }
        }
        return isInside
    }

    /// The gnomonic projection: from the centre of the Earth onto a tangent plane, so that great circles become
    /// straight lines.
    private struct Projection {
        private typealias Vector = SIMD3<Double>

        private let centre: Vector
        private let right: Vector
        private let up: Vector

        /// Creates the projection whose plane touches the Earth at the mean of the positions; nil if there is no mean.
        init?(of positions: some Sequence<Position>) {
            var sum = Vector.zero
            for position in positions {
                sum += Self.vector(position)
            }
            let length = (sum * sum).sum().squareRoot()
            guard length > 1e-9 else { return nil }
            centre = sum / length
            let axis: Vector = abs(centre.z) < 0.9 ? [0, 0, 1] : [1, 0, 0]
            let across = Self.cross(axis, centre)
            right = across / (across * across).sum().squareRoot()
            up = Self.cross(centre, right)
        }

        /// The position on the plane; nil for a position in the other half of the Earth.
        func project(_ position: Position) -> Position? {
            let vector = Self.vector(position)
            let depth = (vector * centre).sum()
            guard depth > 1e-9 else { return nil }
            return Position(x: (vector * right).sum() / depth, y: (vector * up).sum() / depth)
        }

        private static func vector(_ position: Position) -> Vector {
            let (longitude, latitude) = (position.x * .pi / 180, position.y * .pi / 180)
            return [cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude)]
        }

        private static func cross(_ a: Vector, _ b: Vector) -> Vector {
            [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
        }
    }
}
