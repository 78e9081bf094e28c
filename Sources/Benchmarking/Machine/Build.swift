package import JSONText

/// How this program was built.
package enum Build {
    /// Figures of an unoptimised build are meaningless.
    package static var isOptimised: Bool {
        #if DEBUG
        false
        #else
        true
        #endif
    }

    static var optimisation: String { isOptimised ? "release" : "debug" }

    /// The compiler's language version, which is all that a program knows about its compiler.
    static var toolchain: String {
        #if compiler(>=6.4)
        "swift 6.4 or newer"
        #elseif compiler(>=6.3)
        "swift 6.3"
        #else
        "swift 6.2"
        #endif
    }

    package static var json: JSONValue {
        ["toolchain": .string(toolchain), "optimisation": .string(optimisation), "platform": .string(platform)]
    }

    static var platform: String {
        #if arch(x86_64)
        "x86_64"
        #elseif arch(arm64)
        "arm64"
        #else
        "another processor"
        #endif
    }
}
