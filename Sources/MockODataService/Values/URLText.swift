/// Percent-encoding of the URLs in answers.
enum URLText {
    /// Keeps letters, digits and what keys and options have.
    static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: result.unicodeScalars.append(Unicode.Scalar(byte))
            case _ where "-._~'(),$=:".utf8.contains(byte): result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
            }
        }
        return result
    }
}
