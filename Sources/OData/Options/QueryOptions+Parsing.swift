package import Soups

extension QueryOptions {
    /// Parses the text of one system query option; the text must be percent-decoded.
    ///
    /// Throws `unsupported` for an option that does not exist in the version, otherwise what the parser of the option
    /// throws. Offsets count in the text.
    package init(
        parsing text: String, as option: SystemOption, version: ODataVersion, limits: Limits
    ) throws(Fault) {
        guard option.isKnown(in: version) else {
            throw Fault(
                .unsupported, "$\(option.rawValue) does not exist in version \(version.rawValue)", offset: 0)
        }
        let bytes = Array(text.utf8)
        self = try bytes.withUnsafeBufferPointer { (buffer) throws(Fault) in
            var options = QueryOptions()
            var parser = try OptionParser(buffer, source: bytes, version: version, limits: limits)
            try parser.read(option, into: &options)
            try parser.end()
            return options
        }
    }
}
