package import Soups

extension ConnectionSettings {
    /// Refuses settings that SQLite and SQLCipher would ignore, round, or accept and then never open again.
    ///
    /// - Throws: `invalidArguments`.
    package func check(isKeyed: Bool) throws(Fault) {
        // SQLite needs 480 bytes of a page for itself. Of 512 bytes the codec leaves fewer: such a file could be
        // written but never be read again.
        let smallest = isKeyed ? 1024 : 512
        guard (smallest...65536).contains(pageSize), pageSize.nonzeroBitCount == 1 else {
            let kind = isKeyed ? " in an encrypted file" : ""
            throw Fault(
                .invalidArguments,
                "invalid page size of \(pageSize) bytes\(kind): give a power of two from \(smallest) to 65536")
        }
        guard (1...Int(Int32.max)).contains(checkpointPages) else {
            throw Fault(
                .invalidArguments, "invalid number of pages between checkpoints, \(checkpointPages): give 1 or more")
        }
        if let compatibility = cipher.compatibility, !(1...4).contains(compatibility) {
            throw Fault(
                .invalidArguments, "unknown SQLCipher version \(compatibility): give compatibility 1, 2, 3 or 4")
        }
        if let rounds = cipher.kdfIterations, !(1...Int(Int32.max)).contains(rounds) {
            throw Fault(
                .invalidArguments, "invalid number of key derivation rounds, \(rounds): give 1 to \(Int32.max)")
        }
        if let salt = cipher.salt, salt.count != CipherSettings.saltSize {
            throw Fault(.invalidArguments, "invalid salt of \(salt.count) bytes: give \(CipherSettings.saltSize) bytes")
        }
        try checkPlainHeader()
    }

    private func checkPlainHeader() throws(Fault) {
        guard let size = cipher.plaintextHeaderSize, size != 0 else { return }
        let isBeforeFormat4 = (cipher.compatibility ?? 4) < 4
        let effectivePageSize = isBeforeFormat4 && pageSize == Self.defaultPageSize ? 1024 : pageSize
        guard size > 0, size % 16 == 0, size <= effectivePageSize - CipherSettings.largestReserve else {
            throw Fault(
                .invalidArguments,
                "invalid plain header of \(size) bytes: give a multiple of 16 that leaves room on the page, such as 32")
        }
        // The plain header overwrites the salt in the file, so nothing could ever open it again.
        guard cipher.salt != nil else {
            throw Fault(
                .invalidArguments, "a plain header needs a salt, because the file does not hold it: give the salt too")
        }
    }
}

extension CipherSettings {
    static let saltSize = 16
    /// The bytes that SQLCipher reserves at the end of each page for the initialization vector and the authentication
    /// code, at most.
    static let largestReserve = 80
}
