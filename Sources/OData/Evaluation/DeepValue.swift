import Soups

/// How deep collections and objects may be that an evaluation compares, groups by or makes a part of a value.
enum DeepValue {
    static let greatestDepth = 100

    static var tooDeep: Fault {
        Fault(
            .limitExceeded,
            "values that are compared or made part of another may be at most \(greatestDepth) levels deep")
    }
}
