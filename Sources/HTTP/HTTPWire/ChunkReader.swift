import ReqcliBasics

/// Decodes a chunked body as its bytes arrive (RFC 9112, section 7.1). Extensions and trailers are checked and then dropped.
package struct ChunkReader: Sendable {
    private enum State {
        case size
        case data(Int)
        case dataEnd
        case trailers(read: Int)
        case done
    }

    private let limits: RequestLimits
    private var state = State.size
    /// The beginning of a line whose end hasn't arrived.
    private var line: [UInt8] = []
    private var total = 0

    package init(limits: RequestLimits = RequestLimits()) { self.limits = limits }

    package var isDone: Bool { if case .done = state { true } else { false } }

    /// Appends the body's bytes to `body`, and returns how many bytes were read. All given bytes are read, unless the body ends
    /// earlier.
    package mutating func read(_ bytes: ArraySlice<UInt8>, into body: inout [UInt8]) throws(WireProblem) -> Int {
        var place = bytes.startIndex
        while place < bytes.endIndex {
            switch state {
            case .data(let left):
                let end = min(bytes.endIndex, place + left)
                body += bytes[place..<end]
                state = end - place == left ? .dataEnd : .data(left - (end - place))
                place = end
            case .done: return place - bytes.startIndex
            case .size:
                guard let line = try nextLine(bytes, &place, longest: limits.chunkLine) else { continue }
                let size = try Self.size(line[...])
                guard size <= limits.body - total else {
                    throw WireProblem(413, "the body has more than \(limits.body) bytes")
                }
                total += size
                state = size == 0 ? .trailers(read: 0) : .data(size)
            case .dataEnd:
                guard let line = try nextLine(bytes, &place, longest: 0) else { continue }
                guard line.isEmpty else { throw Self.tooMuchData }
                state = .size
            case .trailers(let read):
                guard let line = try nextLine(bytes, &place, longest: limits.trailers - read) else { continue }
                if line.isEmpty {
                    state = .done
                } else {
                    _ = try FieldLine(line.indices, in: line.span)
                    state = .trailers(read: read + line.count)
                }
            }
        }
        return place - bytes.startIndex
    }

    /// The next line without CR and LF; nil until it is complete.
    private mutating func nextLine(
        _ bytes: ArraySlice<UInt8>, _ place: inout Int, longest: Int
    ) throws(WireProblem) -> [UInt8]? {
        let end = bytes[place...].firstIndex(of: .lineFeed)
        // Keeps only one byte more than a line may have, which is enough to see that the line is too long.
        line += bytes[place..<(end ?? bytes.endIndex)].prefix(longest + 2)
        guard line.count <= longest + 1 else { throw tooLong }
        guard let end else {
            place = bytes.endIndex
            return nil
        }
        place = end + 1
        guard line.popLast() == .carriageReturn else {
            throw WireProblem(400, "a line between the chunks doesn't end with CR and LF")
        }
        defer { line = [] }
        return line
    }

    /// The problem of a line that has too many bytes.
    private var tooLong: WireProblem {
        switch state {
        case .size: WireProblem(400, "the line with a chunk's size has more than \(limits.chunkLine) bytes")
        case .trailers: WireProblem(400, "the trailers have more than \(limits.trailers) bytes")
        case .data, .dataEnd, .done: Self.tooMuchData
        }
    }

    private static let tooMuchData = WireProblem(400, "a chunk has more data than its size says")

    /// The size that a line such as `1f;name=value` states.
    private static func size(_ line: ArraySlice<UInt8>) throws(WireProblem) -> Int {
        let digits = line.prefix { $0.hexValue != nil }
        guard !digits.isEmpty, isExtensions(line[digits.endIndex...]) else {
            throw WireProblem(400, "the line with a chunk's size is invalid")
        }
        return Int(String(decoding: digits, as: UTF8.self), radix: 16) ?? .max
    }

    /// Whether the bytes are a list of extensions, each with a value or without.
    private static func isExtensions(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        func skipSpace() { rest = rest.drop(while: \.isSpaceOrTab) }
        func takeToken() -> Bool {
            let token = rest.prefix(while: \.isTokenByte)
            rest = rest[token.endIndex...]
            return !token.isEmpty
        }
        while !rest.isEmpty {
            skipSpace()
            guard rest.popFirst() == UInt8(ascii: ";") else { return false }
            skipSpace()
            guard takeToken() else { return false }
            let end = rest
            skipSpace()
            guard rest.first == UInt8(ascii: "=") else {
                rest = end
                continue
            }
            rest = rest.dropFirst()
            skipSpace()
            if rest.first == .quote {
                guard takeQuoted(&rest) else { return false }
            } else {
                guard takeToken() else { return false }
            }
        }
        return true
    }

    private static func takeQuoted(_ rest: inout ArraySlice<UInt8>) -> Bool {
        rest = rest.dropFirst()
        while let byte = rest.popFirst() {
            if byte == .quote { return true }
            let character = byte == .backslash ? rest.popFirst() : byte
            guard let character, character >= .space && character != 0x7F || character == .tab else { return false }
        }
        return false
    }
}
