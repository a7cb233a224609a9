import ReqcliBasics

/// The separator of a stream's messages.
package enum Framing: Sendable {
    /// A header with `Content-Length` before each message, as in the Language Server Protocol.
    case header
    /// A message is a line, as in the Model Context Protocol.
    case line

    /// The bytes of a message with its frame.
    package func framed(_ message: String) -> [UInt8] {
        switch self {
        case .header: Array("Content-Length: \(message.utf8.count)\r\n\r\n".utf8) + message.utf8
        case .line: Array(message.utf8) + [.lineFeed]
        }
    }
}

/// Takes the messages out of a stream of bytes. A damaged frame is reported, and reading goes on with the next header or line.
package struct FrameReader: Sendable {
    package enum Frame: Sendable, Equatable {
        case message([UInt8])
        /// Bytes that are not a message, and the reason.
        case damaged(String)
    }

    package static let largestMessage = 64 << 20
    private static let largestHeader = 4096
    private static let lengthName = Array("content-length:".utf8)

    private let framing: Framing
    private var pending: [UInt8] = []
    /// The start of the bytes that are not read yet. They are moved only now and then.
    private var start = 0
    /// The offset up to which no end of a header or line was found.
    private var searched = 0
    /// The number of bytes of a message that is too large, which are still to be left out.
    private var skipped = 0
    private var isSkippingLine = false

    package init(_ framing: Framing) { self.framing = framing }

    package mutating func add(_ bytes: some Collection<UInt8>) {
        let left = bytes.dropFirst(min(skipped, bytes.count))
        skipped -= bytes.count - left.count
        pending += left
    }

    /// The next frame; nil until more bytes come.
    package mutating func next() -> Frame? {
        defer {
            if start == pending.count || start > 1 << 20 {
                pending.removeFirst(start)
                searched -= start
                start = 0
            }
            searched = max(searched, start)
        }
        switch framing {
        case .header: return nextAfterHeader()
        case .line: return nextLine()
        }
    }

    // MARK: Lines

    private mutating func nextLine() -> Frame? {
        while let end = pending[max(searched, start)...].firstIndex(of: .lineFeed) {
            var line = pending[start..<end]
            start = end + 1
            searched = start
            if isSkippingLine {
                isSkippingLine = false
                continue
            }
            if line.last == .carriageReturn { line.removeLast() }
            if line.allSatisfy({ $0 == .space || $0 == .tab }) { continue }
            return line.count > Self.largestMessage ? Self.tooLarge : .message(Array(line))
        }
        searched = pending.count
        guard pending.count - start > Self.largestMessage else { return nil }
        start = pending.count
        defer { isSkippingLine = true }
        return isSkippingLine ? nil : Self.tooLarge
    }

    // MARK: Headers

    private mutating func nextAfterHeader() -> Frame? {
        guard let (end, body) = headerEnd() else {
            guard pending.count - start > Self.largestHeader else { return nil }
            return damaged("a header has no end", from: start + 1)
        }
        guard let length = length(in: pending[start..<end]) else {
            // Where the wrong length is this header's, the next header comes after it.
            let lines = pending[start..<end].split(whereSeparator: { $0 == .lineFeed || $0 == .carriageReturn })
            return damaged(
                "a header has no valid Content-Length", from: lines.contains(where: Self.isLength) ? body : start + 1)
        }
        if length > Self.largestMessage {
            let present = min(length, pending.count - body)
            skipped = length - present
            start = body + present
            return Self.tooLarge
        }
        guard pending.count - body >= length else { return nil }
        start = body + length
        return .message(Array(pending[body..<start]))
    }

    /// The end of the header, and the start of the message after it.
    private func headerEnd() -> (end: Int, body: Int)? {
        var index = start
        let limit = min(pending.count, start + Self.largestHeader)
        while let found = pending[index..<limit].firstIndex(of: .lineFeed) {
            if pending.count > found + 1, pending[found + 1] == .lineFeed { return (found, found + 2) }
            if pending.count > found + 2, pending[found + 1] == .carriageReturn, pending[found + 2] == .lineFeed {
                return (found, found + 3)
            }
            index = found + 1
        }
        return nil
    }

    private func length(in header: ArraySlice<UInt8>) -> Int? {
        var found: Int?
        for line in header.split(whereSeparator: { $0 == .lineFeed || $0 == .carriageReturn }) {
            guard line.contains(.colon) else { return nil }
            guard Self.isLength(line) else { continue }
            let rest = line.dropFirst(Self.lengthName.count)
            let digits = String(decoding: rest.filter { $0 != .space && $0 != .tab }, as: UTF8.self)
            guard found == nil, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(digits) else {
                return nil
            }
            found = length
        }
        return found
    }

    /// Leaves out everything up to the next header.
    private mutating func damaged(_ reason: String, from first: Int) -> Frame {
        start = (first..<max(first, pending.count)).first { Self.isLength(pending[$0...]) } ?? keepingTail(from: first)
        return .damaged(reason)
    }

    /// The name of the next header may have come only in part.
    private func keepingTail(from first: Int) -> Int {
        max(first, pending.count - Self.lengthName.count + 1)
    }

    private static func isLength(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count >= lengthName.count
            && zip(bytes, lengthName).allSatisfy { $0 == $1 || ((0x41...0x5A).contains($0) && $0 + 32 == $1) }
    }

    private static let tooLarge = Frame.damaged("a message is larger than \(largestMessage >> 20) MiB")
}
