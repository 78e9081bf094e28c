import Libc
import Platform
import Soups

/// Reads a line from the terminal without showing what is typed.
enum HiddenInput {
    /// The settings of the terminal before; written before the signals that read it are taken.
    nonisolated(unsafe) private static var before = termios()

    static func line(_ question: String) throws(Fault) -> [UInt8] {
        guard tcgetattr(0, &before) == 0 else {
            throw Fault(.invalidKey, "the terminal cannot hide what is typed: give the key in a file")
        }
        CleanEnd.watch { restore() }
        var hidden = before
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(0, TCSAFLUSH, &hidden)
        defer { restore() }
        StandardError.write(question)
        var bytes: [UInt8] = []
        while let byte = (try? OpenFile.standardInput.read(atMost: 1))?.first, byte != UInt8(ascii: "\n") {
            bytes.append(byte)
        }
        StandardError.write("\n")
        return bytes
    }

    private static func restore() { tcsetattr(0, TCSAFLUSH, &before) }
}
