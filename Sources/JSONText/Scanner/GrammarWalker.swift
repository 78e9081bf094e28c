/// Reads the grammar of values, objects and arrays and reports it to a visitor.
///
/// Open containers are kept on a small stack of `maximumDepth` bytes, so that deeply nested texts do not cause
/// recursion.
enum GrammarWalker {
    /// Reads one value at the scanner's position and moves the scanner after it.
    @inline(__always) static func walk<Visitor: GrammarVisitor & ~Copyable>(
        _ scanner: inout ByteScanner, _ visitor: inout Visitor, maximumDepth: Int
    ) throws(ScanFailure) {
        var failure: ScanFailure?
        withUnsafeTemporaryAllocation(of: Bool.self, capacity: maximumDepth + 1) { outer in
            // The capacity is at least 1, so the buffer has an address.
            guard let stack = outer.baseAddress else { return }
            do throws(ScanFailure) {
                try walk(&scanner, &visitor, maximumDepth, stack)
            } catch {
                failure = error
            }
        }
        if let failure {
            throw failure
        }
    }

    @inline(__always) private static func walk<Visitor: GrammarVisitor & ~Copyable>(
        _ shared: inout ByteScanner, _ visitor: inout Visitor, _ maximumDepth: Int, _ outer: UnsafeMutablePointer<Bool>
    ) throws(ScanFailure) {
        // A local copy can live in registers.
        var scanner = shared
        defer { shared.position = scanner.position }
        var depth = 0
        var inObject = false
        while true {
            let first = try scanner.nextByte()
            let start = scanner.position
            switch first {
            case 0x22:
                let token = try scanner.scanString()
                visitor.string(token, in: scanner)
            case 0x2D, 0x30...0x39:
                let isInteger = try scanner.scanNumber()
                visitor.number(from: start, to: scanner.position, isInteger: isInteger)
            case 0x7B, 0x5B:
                guard depth < maximumDepth else {
                    throw ScanFailure(.tooDeep, at: start)
                }
                outer[depth] = inObject
                depth &+= 1
                inObject = first == 0x7B
                scanner.position = start &+ 1
                let next = try scanner.nextByte()
                if inObject {
                    visitor.beginObject(at: start)
                    if next != 0x7D {
                        try name(&scanner, &visitor, next, previousEnd: start &+ 1)
                        continue
                    }
                    scanner.position &+= 1
                    visitor.endObject(at: scanner.position, previousEnd: start &+ 1)
                } else {
                    visitor.beginArray(at: start)
                    if next != 0x5D {
                        continue
                    }
                    scanner.position &+= 1
                    visitor.endArray(at: scanner.position)
                }
                depth &-= 1
                inObject = outer[depth]
            case 0x74:
                try scanner.scanTrue()
                visitor.word(.true, from: start)
            case 0x66:
                try scanner.scanFalse()
                visitor.word(.false, from: start)
            case 0x6E:
                try scanner.scanNull()
                visitor.word(.null, from: start)
            default:
                throw ScanFailure(.expectedValue, at: start)
            }
            // After a value: a comma continues the container, and a bracket closes it, which makes it the value that
            // has ended.
            while true {
                if depth == 0 {
                    return
                }
                let previousEnd = scanner.position
                let byte = try scanner.nextByte()
                if byte == 0x2C {
                    scanner.position &+= 1
                    if inObject {
                        try name(&scanner, &visitor, try scanner.nextByte(), previousEnd: previousEnd)
                    }
                    break
                }
                guard byte == (inObject ? 0x7D : 0x5D) else {
                    throw ScanFailure(.expectedCommaOrEnd, at: scanner.position)
                }
                scanner.position &+= 1
                if inObject {
                    visitor.endObject(at: scanner.position, previousEnd: previousEnd)
                } else {
                    visitor.endArray(at: scanner.position)
                }
                depth &-= 1
                inObject = outer[depth]
            }
        }
    }

    @inline(__always) private static func name<Visitor: GrammarVisitor & ~Copyable>(
        _ scanner: inout ByteScanner, _ visitor: inout Visitor, _ first: UInt8, previousEnd: Int
    ) throws(ScanFailure) {
        let known = try visitor.knownName(in: scanner, previousEnd: previousEnd)
        if known >= 0 {
            scanner.position = known
            return
        }
        guard first == 0x22 else {
            throw ScanFailure(.expectedName, at: scanner.position)
        }
        let token = try scanner.scanString()
        guard try scanner.nextByte() == 0x3A else {
            throw ScanFailure(.expectedColon, at: scanner.position)
        }
        scanner.position &+= 1
        try visitor.name(token, in: scanner, previousEnd: previousEnd)
    }
}
