import ASCII

/// Finds secrets by what stands around them: in the account and the query of a URL, behind `Bearer` and `Basic`, in the paths of
/// webhooks, and under their names in JSON, XML or a form that is part of a text.
struct SecretPlaces {
    /// The ranges of bytes that hold a secret, in order.
    private(set) var ranges: [Range<Int>] = []
    private let bytes: [UInt8]
    /// Whether the text may be a form as a whole: `token=abc&a=1`.
    private let isWord: Bool

    /// Whether there may be a secret behind a byte. For a slash, the byte behind it tells.
    static func isMark(_ byte: UInt8) -> Bool {
        byte == .colon || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "=") || byte == .space
    }

    /// Whether a path with a secret may begin with two bytes: `bot`, `services`, `hooks`, `webhooks`.
    static func beginsPath(_ first: UInt8, _ second: UInt8) -> Bool {
        let next = second.lowercased
        return switch first.lowercased {
        case UInt8(ascii: "b"), UInt8(ascii: "h"): next == UInt8(ascii: "o")
        case UInt8(ascii: "s"), UInt8(ascii: "w"): next == UInt8(ascii: "e")
        default: false
        }
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        isWord = !bytes.contains { $0 <= .space }
        for index in bytes.indices {
            // `isMark` and `beginsPath` know these.
            switch bytes[index] {
            case .colon:
                addPassword(at: index)
                addMember(behind: index)
            case UInt8(ascii: ">"): addElement(behind: index)
            case UInt8(ascii: "="): addQueryValue(behind: index)
            case .space: addCredentials(behind: index)
            case .slash: addPathSegment(behind: index)
            default: continue
            }
        }
    }

    private mutating func add(_ range: Range<Int>) {
        guard let first = bytes[range].first, range.lowerBound >= ranges.last?.upperBound ?? 0 else { return }
        // A stand-in, such as <token> or $TOKEN, and a mask.
        if "{<$*".utf8.contains(first) { return }
        ranges.append(range)
    }

    private func end(from start: Int, at ends: String) -> Int {
        bytes[start...].firstIndex { $0 <= .space || ends.utf8.contains($0) || "\"'<>\\`".utf8.contains($0) }
            ?? bytes.endIndex
    }

    private func has(_ text: String, at start: Int) -> Bool {
        guard start >= 0, start + text.utf8.count <= bytes.count else { return false }
        return zip(bytes[start...], text.utf8).allSatisfy { $0.lowercased == $1 }
    }

    // MARK: URLs

    /// `https://user:password@host`.
    private mutating func addPassword(at index: Int) {
        guard has("://", at: index) else { return }
        let start = index + 3
        let authority = bytes[start..<end(from: start, at: "/?#")]
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")), let colon = authority[..<at].firstIndex(of: .colon)
        else { return }
        add(colon + 1..<at)
    }

    /// The longest name of a query item that counts.
    private static let longestName = 64

    /// `?token=value`, `&token=value` and `#token=value`.
    private mutating func addQueryValue(behind index: Int) {
        let start = max(0, index - Self.longestName)
        let mark = bytes[start..<index].lastIndex { "?&#;=/ ".utf8.contains($0) }
        guard mark.map({ "?&#".utf8.contains(bytes[$0]) }) ?? (start == 0 && isWord) else { return }
        // A value inside of one that was found would be looked through again and again.
        guard index >= ranges.last?.upperBound ?? 0 else { return }
        let name = SecretName(String(decoding: bytes[(mark.map { $0 + 1 } ?? 0)..<index], as: UTF8.self))
        guard name.isSecret || name.isAmbiguous else { return }
        // A key has no mark that begins a query, so that no text is looked through twice.
        let value = index + 1..<end(from: index + 1, at: name.isSecret ? "&#;" : "&#;?")
        if name.isSecret || LikelySecret.isRandom(bytes[value]) { add(value) }
    }

    private mutating func add(_ value: Range<Int>, named name: Range<Int>) {
        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        if LikelySecret.isSecret(text(name), text(value)) { add(value) }
    }

    // MARK: Names

    /// `"password": "value"`, where the quotes may be escaped.
    private mutating func addMember(behind index: Int) {
        guard index > 1, bytes[index - 1] == .quote else { return }
        let before = bytes[max(0, index - 1 - Self.longestName)..<index - 1]
        let nameEnd = before.last == .backslash ? index - 2 : index - 1
        guard let open = bytes[before.startIndex..<max(nameEnd, before.startIndex)].lastIndex(of: .quote) else {
            return
        }
        var start = bytes[(index + 1)...].firstIndex { !$0.isJSONWhitespace } ?? bytes.endIndex
        if start < bytes.endIndex, bytes[start] == .backslash { start += 1 }
        guard start < bytes.endIndex, bytes[start] == .quote else { return }
        let end = bytes[(start + 1)...].firstIndex { $0 == .quote || $0 == .backslash || $0 < .space } ?? bytes.endIndex
        add(start + 1..<end, named: open + 1..<nameEnd)
    }

    /// `<password>value</password>`.
    private mutating func addElement(behind index: Int) {
        let before = bytes[max(0, index - Self.longestName)..<index]
        guard let open = before.lastIndex(of: UInt8(ascii: "<")), open + 1 < index, bytes[open + 1] != .slash,
            let end = bytes[(index + 1)...].firstIndex(of: UInt8(ascii: "<")), has("</", at: end),
            bytes[open + 1..<index].allSatisfy({ $0.isAlphanumeric || "-_.:".utf8.contains($0) })
        else { return }
        add(index + 1..<end, named: open + 1..<index)
    }

    // MARK: Headers

    /// `Bearer abc123` and `Basic YTpi`, but no prose such as "Bearer authentication".
    private mutating func addCredentials(behind index: Int) {
        let isBearer = has("bearer", at: index - 6)
        guard isBearer || has("basic", at: index - 5) else { return }
        let first = index - (isBearer ? 6 : 5)
        if first > 0, bytes[first - 1].isAlphanumeric { return }
        let end = bytes[(index + 1)...].firstIndex { !($0.isAlphanumeric || "-._~+/=".utf8.contains($0)) }
        let word = bytes[index + 1..<(end ?? bytes.endIndex)]
        guard word.count >= 8 else { return }
        let isToken =
            isBearer
            ? word.contains(where: \.isDigit) || word.count >= 20
            : word.count % 4 == 0 && word.dropFirst().contains { $0.isDigit || $0 &- 0x41 < 26 || $0 == 0x3D }
        if isToken { add(word.indices) }
    }

    // MARK: Paths

    /// Telegram's `/bot123:TOKEN/`, Slack's `/services/T0/B0/TOKEN`, and tokens behind `/hooks/`.
    private mutating func addPathSegment(behind index: Int) {
        if has("bot", at: index + 1) {
            let segment = bytes[index + 4..<end(from: index + 4, at: "/?#")]
            let number = segment.prefix(while: \.isDigit)
            let mark = [":", "%3a"].first { has($0, at: number.endIndex) }
            guard !number.isEmpty, let mark, number.endIndex + mark.utf8.count < segment.endIndex else { return }
            let token = segment[(number.endIndex + mark.utf8.count)...]
            if token.count >= 16 { add(token.indices) }
        } else if has("services/t", at: index + 1) {
            let segments = segments(from: index + 10, 3)
            guard segments.count == 3, bytes[segments[1].lowerBound].lowercased == UInt8(ascii: "b"),
                segments[2].count >= 8
            else { return }
            add(segments[2])
        } else if has("hooks/", at: index + 1) || has("webhooks/", at: index + 1) {
            let start = index + (has("hooks/", at: index + 1) ? 7 : 10)
            for segment in segments(from: start, 4) where LikelySecret.isRandom(bytes[segment]) { add(segment) }
        }
    }

    /// The segments of a path from a place on, without empty ones.
    private func segments(from start: Int, _ count: Int) -> [Range<Int>] {
        var segments: [Range<Int>] = []
        var start = start
        while segments.count < count, start <= bytes.count {
            let end = end(from: start, at: "/?#")
            if end > start { segments.append(start..<end) }
            guard end < bytes.count, bytes[end] == .slash, end > start else { break }
            start = end + 1
        }
        return segments
    }
}
