#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The few functions of the C library that statistics needs, so that only this file asks which C library there is.
enum Exponential {
    static func exp(_ x: Double) -> Double { _exp(x) }
    static func log(_ x: Double) -> Double { _log(x) }
    static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
}

private func _exp(_ x: Double) -> Double { exp(x) }
private func _log(_ x: Double) -> Double { log(x) }
