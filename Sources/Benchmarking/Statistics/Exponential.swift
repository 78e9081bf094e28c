import Libc

/// The functions of the C library that statistics needs.
package enum Exponential {
    static func exp(_ x: Double) -> Double { Libc.exp(x) }
    static func log(_ x: Double) -> Double { Libc.log(x) }
    package static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
}
