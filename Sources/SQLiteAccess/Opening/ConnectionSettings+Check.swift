package import Soups

extension ConnectionSettings {
    /// Checks what SQLite and SQLCipher would ignore, round, or take and never open again.
    ///
    /// - Throws: `invalidArguments`.
    package func check(isKeyed: Bool) throws(Fault) {
        // SQLite needs 480 bytes of a page for itself. Of 512 the codec leaves fewer: a file could be written, and
        // never be read again.
        let smallest = isKeyed ? 1024 : 512
        guard (smallest...65536).contains(pageSize), pageSize.nonzeroBitCount == 1 else {
            let kind = isKeyed ? " in an encrypted file" : ""
            throw Fault(
                .invalidArguments,
                "a page size of \(pageSize) bytes\(kind): give a power of two from \(smallest) to 65536")
        }
        if let compatibility = cipher.compatibility, !(1...4).contains(compatibility) {
            throw Fault(.invalidArguments, "compatibility with SQLCipher \(compatibility): give a version from 1 to 4")
        }
        if let rounds = cipher.kdfIterations, !(1...Int(Int32.max)).contains(rounds) {
            throw Fault(
                .invalidArguments, "\(rounds) rounds of key derivation: give at least 1, and no more than \(Int32.max)")
        }
        if let salt = cipher.salt, salt.count != CipherSettings.saltSize {
            throw Fault(.invalidArguments, "a salt of \(salt.count) bytes: give \(CipherSettings.saltSize)")
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
                "a plain header of \(size) bytes: give a multiple of 16 that leaves room on the page, such as 32")
        }
        // The header takes the place of the salt in the file, so that nothing would ever open it again.
        guard cipher.salt != nil else {
            throw Fault(
                .invalidArguments, "a plain header without a salt: give the salt too, for the file does not hold it")
        }
    }
}

extension CipherSettings {
    static let saltSize = 16
    /// What SQLCipher keeps free at the end of each page for the initialization vector and the authentication code, at
    /// most.
    static let largestReserve = 80
}
