public import JSONText
import Platform
import SQLiteAccess
public import Soups

extension KeyValueStore {
    /// The number of bytes that a value may have: 1 GB.
    public static let longestValue = 1_000_000_000

    /// Stores a value that is read from a source piece by piece, in place of the value that the key had.
    ///
    /// ```swift
    /// try values.set(from: ByteSource(fileDescriptor: file), for: "picture")
    /// ```
    ///
    /// Memory is bounded whatever the length. The source is read while other writers wait, so it should not be a slow
    /// one. A source that fails leaves the key as it was.
    ///
    /// - Throws: as `set` of bytes; `inputOutput` if the source cannot be read.
    public func set(from source: ByteSource, for key: String) throws(Fault) {
        try KeyValueKey.check(key)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: KeyValueTables.pieceSize, alignment: 8)
        defer { buffer.deallocate() }
        try writing(.setValue) { (session, now) throws(Fault) in
            var count = try Self.fill(buffer, from: source)
            guard count == buffer.count else {
                try session.store(UnsafeRawBufferPointer(rebasing: buffer[..<count]), for: key, at: now)
                watchers.note(.keys([key]), in: session)
                return Reported((), rows: 1)
            }
            let pieces = Self.newNumber()
            var total = 0
            var number = 0
            repeat {
                total += count
                guard total <= Self.longestValue else {
                    throw Self.tooLong
                }
                try session.store(piece: UnsafeRawBufferPointer(rebasing: buffer[..<count]), number, of: pieces)
                number += 1
                count = try Self.fill(buffer, from: source)
            } while count > 0
            try session.store(pieces: pieces, length: total, for: key, at: now)
            watchers.note(.keys([key]), in: session)
            return Reported((), rows: 1)
        }
    }

    /// Stores bytes, in pieces if there are many.
    func set(_ bytes: UnsafeRawBufferPointer, for key: String) throws(Fault) {
        guard bytes.count <= Self.longestValue else {
            throw Self.tooLong
        }
        try writing(.setValue) { (session, now) throws(Fault) in
            if bytes.count <= KeyValueTables.pieceSize {
                try session.store(bytes, for: key, at: now)
            } else {
                let pieces = Self.newNumber()
                var number = 0
                var rest = bytes
                while !rest.isEmpty {
                    let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(KeyValueTables.pieceSize))
                    try session.store(piece: piece, number, of: pieces)
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
                    number += 1
                }
                try session.store(pieces: pieces, length: bytes.count, for: key, at: now)
            }
            watchers.note(.keys([key]), in: session)
            return Reported((), rows: 1)
        }
    }

    /// Gives the value of a key as a source that is read piece by piece; `nil` if the key has no value.
    ///
    /// Memory is bounded whatever the length. Between two pieces no lock is held: a value that is replaced or removed
    /// before it is read to the end makes the source fail, so that two values are never mixed. One thread at a time.
    ///
    /// - Throws: as `data(for:)`.
    public func source(for key: String) throws(Fault) -> ByteSource? {
        try KeyValueKey.check(key)
        let found = try reading { (session) throws(Fault) in
            try session.withStoredValue(of: key) { (value) throws(Fault) in (value, try session.size(of: value)) }
        }
        guard let (value, size) = found else { return nil }
        switch value {
        case .bytes(let bytes): return ByteSource(bytes)
        case .pieces(let pieces, _): return source(ofPieces: pieces, size: size)
        }
    }

    private func source(ofPieces pieces: Int64, size: Int64) -> ByteSource {
        var number = 0
        var left = size
        var piece: ArraySlice<UInt8> = []
        return ByteSource { [self] buffer in
            guard left > 0 else { return 0 }
            if piece.isEmpty {
                let next = try? reading { (session) throws(Fault) in try session.piece(number, of: pieces) }
                guard let next else {
                    return -Int(SystemError.changedWhileRead)
                }
                piece = next[...]
                number += 1
            }
            let chunk = piece.prefix(buffer.count)
            buffer.copyBytes(from: chunk)
            piece = piece.dropFirst(chunk.count)
            left -= Int64(chunk.count)
            return chunk.count
        }
    }

    /// Reads until the buffer is full or the source ends; returns the number of bytes.
    private static func fill(_ buffer: UnsafeMutableRawBufferPointer, from source: ByteSource) throws(Fault) -> Int {
        do throws(SystemError) {
            return try source.read(into: buffer)
        } catch {
            throw Fault(.inputOutput, "the source of a value cannot be read: \(error.reason)")
        }
    }

    /// A new number for pieces. It is large and random, so that no number is used twice.
    private static func newNumber() -> Int64 { .random(in: 1 ... .max) }

    private static let tooLong = Fault(.limitExceeded, "a value has at most \(longestValue) bytes: store it in parts")
}
