import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// Reads the entries of a Hurl file.
struct HurlParser {
    private var cursor: HurlCursor
    private(set) var entries: [HurlEntry] = []

    var notes: [ConversionNote] { cursor.notes }

    /// Reads a file. Fails at the first place that isn't valid Hurl.
    init(_ file: SourceFile) throws(ImportProblem) {
        cursor = HurlCursor(file)
        while true {
            let comment = cursor.skipBlankLines()
            if cursor.isAtEnd { return }
            guard isAtRequest else {
                throw cursor.problem(
                    "this is not a Hurl request", at: cursor.position,
                    hint: "an entry begins with a line such as \"GET https://example.com\"")
            }
            try readEntry(comment)
        }
    }

    // MARK: Marks

    /// Whether a line begins like `GET https://example.com`.
    private var isAtRequest: Bool {
        var length = 0
        while let next = cursor.byte(length), (0x41...0x5A).contains(next), length < 32 { length += 1 }
        guard length > 0, cursor.byte(length)?.isSpaceOrTab == true else { return false }
        if cursor.begins(with: "HTTP") && length == 4 { return false }
        while cursor.byte(length)?.isSpaceOrTab == true { length += 1 }
        return cursor.byte(length).map { $0 > .space && $0 != UInt8(ascii: "#") } ?? false
    }

    private var isAtResponse: Bool {
        cursor.begins(with: "HTTP") && (cursor.byte(4) == .slash || cursor.byte(4)?.isSpaceOrTab == true)
    }

    /// The name of the section that begins here.
    private var sectionName: String? {
        guard cursor.byte() == .openBracket else { return nil }
        var length = 1
        while let next = cursor.byte(length), next.isLetter, length < 32 { length += 1 }
        guard length > 1, cursor.byte(length) == .closeBracket else { return nil }
        let name = cursor.file.text(cursor.position + 1..<cursor.position + length)
        return ["true", "false", "null"].contains(name) ? nil : name
    }

    /// Whether a body begins here, and not a line with a name.
    private var isAtBody: Bool {
        switch cursor.byte() {
        case .openBrace: !cursor.beginsWithTemplateName
        case .openBracket, UInt8(ascii: "`"), UInt8(ascii: "<"): true
        case .quote: !cursor.beginsWithQuotedName
        default: ["file,", "base64,", "hex,"].contains { cursor.begins(with: $0) } || isAtScalar
        }
    }

    /// Whether the line contains only a number or a word of JSON, such as `true`.
    private var isAtScalar: Bool {
        var length = 0
        while let next = cursor.byte(length), next.isAlphanumeric || next == .minus || next == .point, length < 32 {
            length += 1
        }
        var end = length
        while cursor.byte(end)?.isSpaceOrTab == true { end += 1 }
        let isLast = cursor.byte(end).map { $0 == .lineFeed || $0 == .carriageReturn } ?? true
        guard length > 0, isLast else { return false }
        let word = cursor.file.text(cursor.position..<cursor.position + length)
        return ["true", "false", "null"].contains(word) || Double(word) != nil
    }

    // MARK: Entries

    private mutating func readEntry(_ comment: String?) throws(ImportProblem) {
        let start = cursor.position
        let method = word()
        cursor.skipSpaces()
        let url = try cursor.template(until: { $0.isSpaceOrTab })
        var entry = HurlEntry(
            place: cursor.place(from: start), comment: comment, method: method, url: url)
        cursor.skipLine()
        try readMessage(into: &entry.request)
        if isAtResponse {
            let start = cursor.position
            var version = word()
            cursor.skipSpaces()
            let status = word()
            if version.hasSuffix("/*") { version = "HTTP" }
            guard status == "*" || Int(status) != nil else {
                throw cursor.problem(
                    "this is not a status", at: start, hint: "write \"HTTP 200\", or \"HTTP *\" for any status")
            }
            var response = HurlResponse(version: version, status: status, place: cursor.place(from: start))
            cursor.skipLine()
            try readMessage(into: &response.message)
            entry.response = response
        }
        entries.append(entry)
    }

    /// The text up to a space or the end of the line.
    private mutating func word() -> String {
        let start = cursor.position
        while let next = cursor.byte(), !next.isSpaceOrTab, !cursor.isAtLineEnd { cursor.position += 1 }
        return cursor.file.text(start..<cursor.position)
    }

    private mutating func readMessage(into message: inout HurlMessage) throws(ImportProblem) {
        while true {
            // A comment may belong to the next entry.
            let before = cursor.position
            cursor.skipBlankLines()
            if cursor.isAtEnd { return }
            if isAtRequest {
                cursor.position = before
                return
            }
            if isAtResponse { return }
            if let name = sectionName {
                message.sections.append(try section(name))
            } else if isAtBody {
                let start = cursor.position
                let content = try body()
                if message.body == nil {
                    message.body = (content, cursor.place(from: start))
                } else {
                    throw cursor.problem("found a second body", at: start, hint: "an entry can have only one body")
                }
                try endLine()
            } else {
                message.headers.append(try pair())
            }
        }
    }

    /// Goes to the next line. Only spaces and a comment may come before the end of the current line.
    private mutating func endLine() throws(ImportProblem) {
        cursor.skipSpaces()
        guard cursor.isAtLineEnd || cursor.byte() == UInt8(ascii: "#") else {
            throw cursor.problem("found text after the end of a body", at: cursor.position)
        }
        cursor.skipLine()
    }

    private mutating func pair() throws(ImportProblem) -> HurlPair {
        let start = cursor.position
        let name = cursor.byte() == .quote ? try cursor.quoted() : try cursor.template(until: { $0 == .colon })
        cursor.skipSpaces()
        guard cursor.byte() == .colon else {
            throw cursor.problem(
                "this line has no \":\" between a name and a value", at: start, hint: "write \"name: value\"")
        }
        cursor.position += 1
        cursor.skipSpaces()
        let value = try cursor.template(until: { _ in false })
        let pair = HurlPair(name: name.trimmingEnd, value: value.trimmingEnd, place: cursor.place(from: start))
        cursor.skipLine()
        return pair
    }

    // MARK: Sections

    private mutating func section(_ name: String) throws(ImportProblem) -> HurlSection {
        var section = HurlSection(
            name: name, place: Place(cursor.file, cursor.position..<cursor.position + name.utf8.count + 2))
        let isAsserts = name == "Asserts"
        cursor.skipLine()
        while true {
            let before = cursor.position
            cursor.skipBlankLines()
            if cursor.isAtEnd || isAtResponse || sectionName != nil { return section }
            if isAtRequest {
                cursor.position = before
                return section
            }
            if isAtBody { return section }
            if isAsserts || name == "Captures" {
                section.statements.append(try statement(isCapture: !isAsserts))
            } else {
                section.pairs.append(try pair())
            }
        }
    }

    private mutating func statement(isCapture: Bool) throws(ImportProblem) -> HurlStatement {
        let start = cursor.position
        var name: String?
        if isCapture {
            name = try cursor.template(until: { $0 == .colon }).trimmingEnd.text
            guard cursor.byte() == .colon else {
                throw cursor.problem(
                    "this capture has no name", at: start, hint: #"write a capture such as: token: jsonpath "$.token""#)
            }
            cursor.position += 1
        }
        var tokens: [HurlToken] = []
        while true {
            cursor.skipSpaces()
            if cursor.isAtLineEnd || cursor.byte() == UInt8(ascii: "#") { break }
            tokens.append(try token())
        }
        let statement = HurlStatement(name: name, tokens: tokens, place: cursor.place(from: start))
        cursor.skipLine()
        return statement
    }

    private mutating func token() throws(ImportProblem) -> HurlToken {
        let start = cursor.position
        if cursor.begins(with: "```") {
            if case .text(let text, _) = try cursor.multilineText() { return .text(text) }
            return .bytes
        }
        switch cursor.byte() {
        case .quote, UInt8(ascii: "`"): return .text(try cursor.quoted())
        case .openBrace where cursor.byte(1) == .openBrace:
            return .text(try cursor.template(until: { $0.isSpaceOrTab }))
        case .slash:
            cursor.position += 1
            var end = cursor.position
            while let next = cursor.byte(end - cursor.position), next != .slash, next != .lineFeed {
                end += next == .backslash ? 2 : 1
            }
            end = min(end, cursor.file.bytes.count)
            guard cursor.byte(end - cursor.position) == .slash else {
                throw cursor.problem("this regular expression is never closed", at: start, hint: "close it with /")
            }
            defer { cursor.position = end + 1 }
            return .pattern(cursor.file.text(cursor.position..<end))
        default:
            if ["hex,", "base64,", "file,"].contains(where: { cursor.begins(with: $0) }) {
                _ = try cursor.range(until: ";", of: "a list of bytes", from: start)
                return .bytes
            }
            return .word(word())
        }
    }

    // MARK: Bodies

    private mutating func body() throws(ImportProblem) -> HurlBody {
        let start = cursor.position
        if cursor.begins(with: "```") { return try cursor.multilineText() }
        for (mark, what) in [
            ("file,", "the path of a file"), ("base64,", "a body in base64"), ("hex,", "a body in hex"),
        ]
        where cursor.begins(with: mark) {
            cursor.position += mark.utf8.count
            let range = try cursor.range(until: ";", of: what, from: start)
            switch mark {
            case "file,": return .file(cursor.template(in: range).trimmed)
            case "base64,": return .base64(cursor.file.text(range).filter { !$0.isWhitespace })
            default: return .base64(try cursor.base64(ofHex: range, from: start))
            }
        }
        switch cursor.byte() {
        case UInt8(ascii: "`"): return .text(try cursor.quoted(), language: nil)
        case UInt8(ascii: "<"): return .text(cursor.template(in: try cursor.xmlRange()), language: "xml")
        default: return .text(cursor.template(in: try cursor.jsonRange()), language: "json")
        }
    }
}
