import ReqcliAssembly

/// A pattern: a string with gaps. It finds the values that another string has in place of the gaps.
struct TextPattern: Hashable, Sendable {
    let pieces: [OpenPiece]

    init(_ text: String) { pieces = StandIn.pieces(of: text) }

    init(_ gap: OpenValue) { pieces = [.open(gap)] }

    /// The whole text, if it has no gap.
    var literal: String? {
        switch pieces.count {
        case 0: return ""
        case 1: if case .literal(let text) = pieces[0] { return text } else { return nil }
        default: return nil
        }
    }

    /// The gap, if it is the whole text.
    var onlyGap: OpenValue? { pieces.count == 1 ? pieces[0].value : nil }

    var gaps: [OpenValue] { pieces.compactMap(\.value) }

    var hasParameter: Bool {
        gaps.contains { if case .parameter = $0 { true } else { false } }
    }

    /// The number of bytes that are not in gaps.
    var weight: Int {
        pieces.reduce(0) { sum, piece in
            if case .literal(let text) = piece { sum + text.utf8.count } else { sum }
        }
    }

    /// The values that a text has in the gaps, in their order; nil if the text differs outside the gaps.
    ///
    /// Each literal is matched at the first place where it fits. Only the last literal must be at the end. As with `*` in file
    /// names, trying other places would find no more matches.
    func values(in text: String, allowsEmpty: Bool = false) -> [String]? {
        let bytes = Array(text.utf8)
        let shortest = allowsEmpty ? 0 : 1
        var values: [String] = []
        var position = 0
        var gap: Int?
        func close(at end: Int) -> Bool {
            guard let start = gap else { return true }
            guard end - start >= shortest else { return false }
            values.append(String(decoding: bytes[start..<end], as: UTF8.self))
            gap = nil
            return true
        }
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .open:
                // The first of two adjacent gaps gets the shortest possible value.
                if gap != nil {
                    position = min(position + shortest, bytes.count)
                    // Do not end the value inside a UTF-8 character.
                    while shortest > 0, position < bytes.count, bytes[position] & 0xC0 == 0x80 { position += 1 }
                    guard close(at: position) else { return nil }
                }
                gap = position
            case .literal(let literal):
                let wanted = Array(literal.utf8)
                let start: Int?
                if gap == nil {
                    start = bytes[position...].starts(with: wanted) ? position : nil
                } else if index == pieces.count - 1 {
                    let last = bytes.count - wanted.count
                    start = last >= position && bytes[last...].elementsEqual(wanted) ? last : nil
                } else {
                    start = bytes.firstStart(of: wanted, from: position + shortest)
                }
                guard let start, close(at: start) else { return nil }
                position = start + wanted.count
            }
        }
        if gap == nil { return position == bytes.count ? values : nil }
        return close(at: bytes.count) ? values : nil
    }
}

extension [UInt8] {
    fileprivate func firstStart(of wanted: [UInt8], from start: Int) -> Int? {
        guard start + wanted.count <= count else { return nil }
        return (start...(count - wanted.count)).first { self[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }
}
