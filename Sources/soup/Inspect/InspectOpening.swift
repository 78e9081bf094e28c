import ArgumentParser

/// How a store that is inspected is opened.
struct InspectOpening: ParsableArguments {
    @Option(help: "A file with the key.")
    var keyFile: String?

    @Option(help: "An open descriptor to read the key from.")
    var keyFd: Int32?

    @Option(help: "An open descriptor to read a raw key from, as 64 hexadecimal digits.")
    var keyHexFd: Int32?

    @Flag(help: "The passphrase is the Base64 text of the bytes of the key, as Mobile SDK has it on iOS.")
    var keyBase64Bytes = false

    @Option(help: "How the file is encrypted: auto, default, mobile-sdk, mobile-sdk-7 or mobile-sdk-ios-shared.")
    var cipher = CipherPreset.automatic

    @Option(help: "A file with the 16 bytes of the salt, for a file with a plain header.")
    var saltFile: String?

    @Option(help: "Another number of rounds that derive the key.")
    var kdfIter: Int?

    @Option(help: "Another major version of SQLCipher whose format the file has, 1 to 4.")
    var compatibility: Int?

    @Option(help: "Another number of bytes in a page of an encrypted file.")
    var pageSize: Int?

    @Flag(help: "Reads a store that another process has open, with the locks of SQLite: makes -wal and -shm.")
    var live = false

    @Flag(help: "Leaves out what a crash left in the -wal.")
    var ignoreWal = false

    func validate() throws {
        guard [keyFile != nil, keyFd != nil, keyHexFd != nil].count(where: { $0 }) <= 1 else {
            throw ValidationError("give the key in one way only")
        }
        guard cipher == CipherPreset.automatic || CipherPreset(rawValue: cipher) != nil else {
            let known = [CipherPreset.automatic] + CipherPreset.allCases.map(\.rawValue)
            throw ValidationError("unknown settings '\(cipher)': use \(known.joined(separator: ", "))")
        }
        guard !live || !ignoreWal else {
            throw ValidationError("--live reads the -wal with its locks: leave out --ignore-wal")
        }
    }
}
