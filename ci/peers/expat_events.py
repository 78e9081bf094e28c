"""Reads documents with expat and prints what it made of each: the peer of XMLText in tests.

Input: for each document its length in bytes, a line break, its bytes. Output: a line per document, `ok LENGTH CRC32` of the log of its events
(so that two readers can be compared without shipping logs), or `error NUMBER OFFSET`. With the argument --log the log itself is printed.
"""
import sys
import zlib
from xml.parsers import expat


def log_of(document, parser):
    log = []
    text = []

    def flush():
        if text:
            log.append("T" + "".join(text))
            text.clear()

    def start(name, attributes):
        flush()
        log.append("S" + name)
        for key in sorted(attributes, key=lambda k: k.encode("utf-8")):
            log.append("A" + key + "=" + attributes[key])

    def end(name):
        flush()
        log.append("E" + name)

    def comment(data):
        flush()
        log.append("C" + data)

    def instruction(target, data):
        flush()
        log.append("P" + target + " " + data)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text.append
    parser.CommentHandler = comment
    parser.ProcessingInstructionHandler = instruction
    parser.Parse(document, True)
    flush()
    return "\n".join(log).replace("\x01", "|").encode("utf-8")


def main():
    source = sys.stdin.buffer
    while True:
        line = source.readline()
        if not line:
            return
        document = source.read(int(line))
        # A separator that no document can contain; it is written as | in the log.
        parser = expat.ParserCreate(None, "\x01")
        try:
            log = log_of(document, parser)
        except expat.ExpatError as failure:
            print("error", failure.code, parser.ErrorByteIndex)
            continue
        except (ValueError, LookupError, UnicodeError):
            print("error", 0, 0)
            continue
        if "--log" in sys.argv:
            print(log.decode("utf-8"))
        print("ok", len(log), zlib.crc32(log))


main()
