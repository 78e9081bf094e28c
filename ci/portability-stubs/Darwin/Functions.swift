// Functions of Darwin that have the names of types, in a module below these types.

// signal.h
public func sigaction<Action>(_: Int32, _: UnsafePointer<Action>?, _: UnsafeMutablePointer<Action>?) -> Int32 {
    fatalError()
}
