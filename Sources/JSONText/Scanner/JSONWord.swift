enum JSONWord: UInt8 {
    case null, `true`, `false`

    var length: Int { self == .false ? 5 : 4 }
}
