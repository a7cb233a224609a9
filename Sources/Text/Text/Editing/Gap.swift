import ReqcliBasics

/// The bytes between two tokens of JSON: whitespace, line breaks, comments, and at most one comma.
struct Gap {
    struct Piece: Equatable {
        enum Kind: Equatable {
            case blanks
            case lineBreak
            /// A `//` comment without its line break. The line break is a separate piece.
            case lineComment
            case blockComment
            case comma
        }

        let kind: Kind
        let range: Range<Int>
    }

    let range: Range<Int>
    let pieces: [Piece]

    /// Splits a range of JSON that has been read without errors. Everything in this range is therefore whitespace, a line break,
    /// a comma or a comment.
    init(_ range: Range<Int>, in bytes: [UInt8]) {
        self.range = range
        var pieces: [Piece] = []
        var position = range.lowerBound
        while position < range.upperBound {
            let piece = Self.piece(at: position, in: bytes[range])
            pieces.append(piece)
            position = piece.range.upperBound
        }
        self.pieces = pieces
    }

    private static func piece(at start: Int, in bytes: ArraySlice<UInt8>) -> Piece {
        switch bytes[start] {
        case .comma: return Piece(kind: .comma, range: start..<start + 1)
        case .lineFeed: return Piece(kind: .lineBreak, range: start..<start + 1)
        case .carriageReturn where bytes[(start + 1)...].first == .lineFeed:
            return Piece(kind: .lineBreak, range: start..<start + 2)
        case .slash where bytes[(start + 1)...].first == .asterisk:
            var end = start + 2
            while end < bytes.endIndex, !bytes[end...].starts(with: [.asterisk, .slash]) { end += 1 }
            return Piece(kind: .blockComment, range: start..<min(end + 2, bytes.endIndex))
        case .slash:
            var end = bytes[start...].firstIndex(of: .lineFeed) ?? bytes.endIndex
            if end > start, end < bytes.endIndex, bytes[end - 1] == .carriageReturn { end -= 1 }
            return Piece(kind: .lineComment, range: start..<end)
        default:
            // A carriage return without a line feed does not end the line.
            let rest = bytes[(start + 1)...]
            let end = rest.indices.first { index in
                switch bytes[index] {
                case .comma, .lineFeed, .slash: true
                case .carriageReturn: bytes[(index + 1)...].first == .lineFeed
                default: false
                }
            }
            return Piece(kind: .blanks, range: start..<(end ?? bytes.endIndex))
        }
    }

    var comma: Range<Int>? { pieces.first { $0.kind == .comma }?.range }
    var lastComment: Range<Int>? {
        pieces.last { $0.kind == .lineComment || $0.kind == .blockComment }?.range
    }

    /// The end of the comments that follow an offset on the same line, or the offset if there are no comments. Such comments
    /// belong to the token before them.
    func endOfComments(from offset: Int, takingLineComments: Bool) -> Int {
        var end = offset
        for piece in pieces where piece.range.lowerBound >= offset {
            switch piece.kind {
            case .blanks: continue
            case .blockComment: end = piece.range.upperBound
            case .lineComment where takingLineComments: return piece.range.upperBound
            case .lineComment, .lineBreak, .comma: return end
            }
        }
        return end
    }
}
