import ReqcliBasics

/// Finds secrets by the text around them: in the user info and the query of a URL, after `Bearer` and `Basic`, in the paths of
/// webhooks, and after their names in JSON, GraphQL, XML or a form that is part of a text.
struct SecretPlaces {
    struct Place {
        /// The bytes of the secret.
        let range: Range<Int>
        /// The name of the value in the text, if the secret was recognized by this name.
        let name: String?
    }

    /// The secrets in the order of the text.
    private(set) var places: [Place] = []
    private let bytes: [UInt8]
    /// Whether the whole text may be a form: `token=abc&a=1`.
    private let isWord: Bool

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        isWord = !bytes.contains { $0 <= .space }
        for index in bytes.indices {
            switch bytes[index] {
            case .colon:
                addPassword(at: index)
                addMember(behind: index)
            case UInt8(ascii: ">"): addElement(behind: index)
            case UInt8(ascii: "="):
                addQueryValue(behind: index)
                addPart(behind: index)
            case .space: addCredentials(behind: index)
            case .slash: addPathSegment(behind: index)
            default: continue
            }
        }
    }

    private mutating func add(_ range: Range<Int>, named name: String? = nil) {
        guard let first = bytes[range].first, range.lowerBound >= end, !isStandIn(first) else { return }
        places.append(Place(range: range, name: name))
    }

    /// Whether a value that begins with this byte is a mask or a stand-in, such as `<token>` or `$TOKEN`.
    private func isStandIn(_ first: UInt8) -> Bool { "{<$*".utf8.contains(first) }

    /// The end of the last secret found so far.
    private var end: Int { places.last?.range.upperBound ?? 0 }

    private func end(from start: Int, at ends: String) -> Int {
        bytes[start...].firstIndex { $0 <= .space || ends.utf8.contains($0) || "\"'<>\\`".utf8.contains($0) }
            ?? bytes.endIndex
    }

    private func has(_ text: String, at start: Int) -> Bool {
        guard start >= 0, start + text.utf8.count <= bytes.count else { return false }
        return zip(bytes[start...], text.utf8).allSatisfy { $0.lowercased == $1 }
    }

    // MARK: URLs

    /// Adds the password in `https://user:password@host`.
    private mutating func addPassword(at index: Int) {
        guard has("://", at: index) else { return }
        let start = index + 3
        let authority = bytes[start..<end(from: start, at: "/?#")]
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")), let colon = authority[..<at].firstIndex(of: .colon)
        else { return }
        add(colon + 1..<at)
    }

    /// The maximum length of a name, in bytes.
    private static let longestName = 64

    /// Adds the value in `?token=value`, `&token=value` or `#token=value`.
    private mutating func addQueryValue(behind index: Int) {
        let start = max(0, index - Self.longestName)
        let mark = bytes[start..<index].lastIndex { "?&#;=/ ".utf8.contains($0) }
        guard mark.map({ "?&#".utf8.contains(bytes[$0]) }) ?? (start == 0 && isWord) else { return }
        // A value inside a secret that was already found is skipped, because it would be searched again and again.
        guard index >= end else { return }
        let text = String(decoding: bytes[(mark.map { $0 + 1 } ?? 0)..<index], as: UTF8.self)
        let name = SecretName(text)
        guard name.isSecret || name.isAmbiguous else { return }
        // A value with an ambiguous name such as `key` ends at a `?`, so that no text is searched twice.
        let value = index + 1..<end(from: index + 1, at: name.isSecret ? "&#;" : "&#;?")
        if name.isSecret || LikelySecret.isRandom(bytes[value]) { add(value, named: text) }
    }

    private mutating func add(_ value: Range<Int>, named name: Range<Int>) {
        let name = String(decoding: bytes[name], as: UTF8.self)
        if LikelySecret.isSecret(name, String(decoding: bytes[value], as: UTF8.self)) { add(value, named: name) }
    }

    // MARK: Names

    /// Adds the value in `"password": "value"`, where the quotes may be escaped, or in an argument of GraphQL: `password:
    /// "value"`.
    private mutating func addMember(behind index: Int) {
        guard let name = name(before: index), let value = quotedText(behind: index) else { return }
        add(value, named: name)
    }

    private func name(before index: Int) -> Range<Int>? {
        let before = bytes[max(0, index - Self.longestName)..<index]
        guard let last = before.last else { return nil }
        guard last == .quote else {
            let word = before.reversed().prefix { $0.isAlphanumeric || $0 == UInt8(ascii: "_") }
            return word.isEmpty ? nil : index - word.count..<index
        }
        let end = index - 1 - before.dropLast().reversed().prefix { $0 == .backslash }.count
        return bytes[before.startIndex..<max(end, before.startIndex)].lastIndex(of: .quote).map { $0 + 1..<end }
    }

    /// The text in quotes after an index. The quotes may be escaped.
    private func quotedText(behind index: Int) -> Range<Int>? {
        var start = bytes[(index + 1)...].firstIndex { !$0.isJSONWhitespace } ?? bytes.endIndex
        let escapes = bytes[start...].prefix { $0 == .backslash }.count
        start += escapes
        // The quotes of a string that was escaped three times have seven backslashes.
        guard escapes < 8, start < bytes.endIndex, bytes[start] == .quote else { return nil }
        start += 1
        let mark = Array(repeating: UInt8.backslash, count: escapes) + [.quote]
        // A string in three quotes may have several lines.
        let isBlock = bytes[start...].starts(with: mark + mark)
        if isBlock { start += 2 * mark.count }
        var run = 0
        for position in start..<bytes.endIndex {
            let byte = bytes[position]
            if byte < .space, !isBlock { return start..<position }
            // A quote with more backslashes is part of the text.
            if byte == .quote, run % (2 * mark.count) == escapes,
                !isBlock || bytes[(position + 1)...].starts(with: mark + mark)
            {
                return start..<position - escapes
            }
            run = byte == .backslash ? run + 1 : 0
        }
        return start..<bytes.endIndex
    }

    /// The maximum length of the headers of a form's part, in bytes.
    private static let longestHead = 1024

    /// Adds the value of a form's part: `name="password"`, a blank line, and the value up to the next boundary.
    private mutating func addPart(behind index: Int) {
        guard index >= end, index > 4, has("name", at: index - 4), "; ".utf8.contains(bytes[index - 5]) else { return }
        let start = index + (bytes[(index + 1)...].first == .quote ? 2 : 1)
        let name = bytes[min(start, bytes.endIndex)...].prefix {
            $0 > .space && $0 != .quote && $0 != UInt8(ascii: ";")
        }
        guard LikelySecret.isName(String(decoding: name, as: UTF8.self)) else { return }
        for position in bytes[name.endIndex...].prefix(Self.longestHead).indices where bytes[position] == .lineFeed {
            let line = bytes[(position + 1)...]
            guard let lineEnd = [[.lineFeed], [.carriageReturn, .lineFeed]].first(where: { line.starts(with: $0) })
            else { continue }
            let value = position + 1 + lineEnd.count
            if value < bytes.endIndex, !isStandIn(bytes[value]) {
                add(value..<endOfPart(from: value), named: name.indices)
            }
            return
        }
    }

    private func endOfPart(from start: Int) -> Int {
        let feed = bytes[start...].indices.first { bytes[$0] == .lineFeed && has("--", at: $0 + 1) }
        guard let feed else { return bytes.endIndex }
        return feed > start && bytes[feed - 1] == .carriageReturn ? feed - 1 : feed
    }

    /// Adds the value in `<password>value</password>`.
    private mutating func addElement(behind index: Int) {
        let before = bytes[max(0, index - Self.longestName)..<index]
        guard let open = before.lastIndex(of: UInt8(ascii: "<")), open + 1 < index, bytes[open + 1] != .slash,
            let end = bytes[(index + 1)...].firstIndex(of: UInt8(ascii: "<")), has("</", at: end),
            bytes[open + 1..<index].allSatisfy({ $0.isAlphanumeric || "-_.:".utf8.contains($0) })
        else { return }
        add(index + 1..<end, named: open + 1..<index)
    }

    // MARK: Headers

    /// Adds the credentials in `Bearer abc123` or `Basic YTpi`, but skips prose such as "Bearer authentication".
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

    /// Adds the token in the path of a webhook: Telegram's `/bot123:TOKEN/`, Slack's `/services/T0/B0/TOKEN`, and tokens after
    /// `/hooks/`.
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

    /// The first segments of a path that begins at an index: at most `count` segments, without empty segments.
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
