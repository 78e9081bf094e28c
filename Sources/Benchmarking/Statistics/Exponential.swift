#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The functions of the C library that statistics needs.
enum Exponential {
    static func exp(_ x: Double) -> Double { systemExp(x) }
    static func log(_ x: Double) -> Double { systemLog(x) }
    static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
}

private func systemExp(_ x: Double) -> Double { exp(x) }
private func systemLog(_ x: Double) -> Double { log(x) }
