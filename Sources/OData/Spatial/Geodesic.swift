import Libc

/// The shortest line between two points on the ellipsoid of WGS 84.
///
/// Uses Vincenty's inverse formula, which is exact to a millimetre but does not converge for points that are nearly
/// opposite each other. Source: T. Vincenty, Survey Review 23 (1975), 88-93.
enum Geodesic {
    private static let equatorialRadius = 6_378_137.0
    private static let flattening = 1 / 298.257223563

    /// The distance in metres; nil if the formula does not converge.
    static func metres(from a: SpatialShape.Position, to b: SpatialShape.Position) -> Double? {
        if a == b {
            return 0
        }
        let polarRadius = equatorialRadius * (1 - flattening)
        // The shorter way around the Earth, possibly across the date line.
        let difference = radians(remainder(b.x - a.x, 360))
        let (sinU1, cosU1) = reducedLatitude(a.y)
        let (sinU2, cosU2) = reducedLatitude(b.y)
        var lambda = difference
        for _ in 0..<200 {
            let (sinLambda, cosLambda) = (sin(lambda), cos(lambda))
            let across = cosU2 * sinLambda
            let along = cosU1 * sinU2 - sinU1 * cosU2 * cosLambda
            let sinSigma = (across * across + along * along).squareRoot()
            if sinSigma == 0 {
                return 0
            }
            let cosSigma = sinU1 * sinU2 + cosU1 * cosU2 * cosLambda
            let sigma = atan2(sinSigma, cosSigma)
            let sinAlpha = cosU1 * cosU2 * sinLambda / sinSigma
            let cosAlpha2 = 1 - sinAlpha * sinAlpha
            // On the equator the formula would divide by zero.
            let middle = cosAlpha2 == 0 ? 0 : cosSigma - 2 * sinU1 * sinU2 / cosAlpha2
            let c = flattening / 16 * cosAlpha2 * (4 + flattening * (4 - 3 * cosAlpha2))
            let previous = lambda
            lambda =
                difference + (1 - c) * flattening * sinAlpha
                * (sigma + c * sinSigma * (middle + c * cosSigma * (2 * middle * middle - 1)))
            guard abs(lambda - previous) < 1e-12 else { continue }
            let u2 =
                cosAlpha2 * (equatorialRadius * equatorialRadius - polarRadius * polarRadius)
                / (polarRadius * polarRadius)
            let bigA = 1 + u2 / 16384 * (4096 + u2 * (-768 + u2 * (320 - 175 * u2)))
            let bigB = u2 / 1024 * (256 + u2 * (-128 + u2 * (74 - 47 * u2)))
            let inner =
                cosSigma * (2 * middle * middle - 1)
                - bigB / 6 * middle * (4 * sinSigma * sinSigma - 3) * (4 * middle * middle - 3)
            return polarRadius * bigA * (sigma - bigB * sinSigma * (middle + bigB / 4 * inner))
        }
        return nil
    }

    private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

    private static func reducedLatitude(_ degrees: Double) -> (sine: Double, cosine: Double) {
        let tangent = (1 - flattening) * tan(radians(degrees))
        let cosine = 1 / (1 + tangent * tangent).squareRoot()
        return (tangent * cosine, cosine)
    }
}
