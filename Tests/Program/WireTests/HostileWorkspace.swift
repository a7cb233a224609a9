import Foundation
import ReqcliText
import RequestBuilding
import TestSupport
import ToolSupport

/// Makes endpoints and environments from everything that breaks JSON, shells, curl and URLs. The same seed makes the
/// same ones.
///
/// Each endpoint has its own file and environment. Its path begins with its number.
struct HostileWorkspace {
    /// One run of the program.
    struct Case: Sendable {
        let number: Int
        /// The endpoint, its params and flags. `send` and `render` take the same ones.
        let arguments: [String]
        /// Whether the command line adds nothing that the endpoint doesn't describe.
        let isPlain: Bool
        /// The variables that the process's environment must contain.
        let environment: [String: String]
        let isOneLine: Bool

        /// The harmless beginnings of the secrets that come from the process's environment. A command's secret is in
        /// its arguments, which are not secret.
        var hiddenBeginnings: [Substring] {
            environment.values.compactMap { value in
                value.firstIndex(of: "x").map { value[...value.index(after: $0)] }
            }
        }
    }

    private static let headerNames = [
        "X-A", "x-a", "X-B", "Accept", "User-Agent", "Content-Type", "Authorization", "Cookie", "Referer", "X'Y", "$X",
        "`X`", "!X", "#X", "&X", "*", "~X", "%X", "Accept-Encoding", "Range", "Origin", "Host", "TE",
    ]

    private var text: HostileText
    private let server: String
    private let workspace: ToolWorkspace

    init(seed: UInt64, server: String, in workspace: ToolWorkspace) {
        text = HostileText(random: SeededGenerator(seed: seed))
        self.server = server
        self.workspace = workspace
    }

    /// Writes the files of one more case.
    ///
    /// - Parameter stubs: The endpoint's stubs.
    mutating func next(_ number: Int, stubs: OrderedJSON? = nil) throws -> Case {
        var draft = Draft(number: number)
        try addSecrets(&draft)
        addParameters(&draft)
        let environment = try self.environment(&draft)
        var endpoint = try self.endpoint(&draft)
        if let stubs, case .object(let members) = endpoint {
            endpoint = .object(members + [.init("stubs", stubs)])
        }
        try workspace.write("endpoints/c\(number).json", endpoint.compact)
        try workspace.write("environments/e\(number).json", environment.compact)
        let flags = flags(draft)
        return Case(
            number: number, arguments: ["c\(number)"] + draft.arguments + ["--env", "e\(number)", "--trust"] + flags,
            isPlain: flags.isEmpty, environment: draft.environment, isOneLine: text.chance(3))
    }

    /// The state that the parts of one case share.
    private struct Draft {
        let number: Int
        /// Placeholders whose values are allowed everywhere except in a header.
        var anywhere: [String] = []
        /// Placeholders whose values contain no line breaks.
        var onOneLine: [String] = []
        var parameters: [OrderedJSON.Member] = []
        var arguments: [String] = []
        var secrets: [OrderedJSON.Member] = []
        var environment: [String: String] = [:]
        /// A placeholder that has no value.
        var absent = "{{absent}}"

        /// The names that an environment may use: no params, not even an absent one.
        var inEnvironment: Draft {
            var draft = self
            draft.anywhere = []
            draft.onOneLine.removeAll { $0.hasPrefix("{{p") || $0 == "{{list}}" }
            draft.absent = "{{v}}"
            return draft
        }
    }

    // MARK: Values

    private mutating func addSecrets(_ draft: inout Draft) throws {
        guard text.chance(3) else { return }
        for index in 0..<text.int(1...2) {
            let name = "SECRET_\(draft.number)_\(index)"
            let value = "s3cr3t\(draft.number)x\(index)" + (text.chance(2) ? "" : text.pieces(0...4))
            let source: OrderedJSON
            switch text.int(0...2) {
            case 0:
                draft.environment[name] = value
                source = .object(["env": .string(name)])
            case 1:
                let format = text.pick(["%s\\n", "%s", "%s\\n\\n"])
                source = .object(["command": .array(["printf", format, value].map { .string($0) })])
            default:
                let path = "secrets/\(draft.number)'\(index)"
                try workspace.write(path, value + text.pick(["", "\n", "\n\n", "\r\n"]))
                source = .object(["file": .string(path)])
            }
            draft.secrets.append(.init("s\(index)", source))
            draft.onOneLine.append("{{secret.s\(index)}}")
        }
    }

    private mutating func addParameters(_ draft: inout Draft) {
        for index in 0..<text.int(0...3) {
            let mayBreak = text.chance(3)
            let value = mayBreak ? text.lines() + "x" : text.pieces(1...4)
            draft.parameters.append(.init("p\(index)", .object(["type": .string("string")])))
            draft.arguments.append("p\(index)=\(value)")
            if !mayBreak { draft.onOneLine.append("{{p\(index)}}") } else { draft.anywhere.append("{{p\(index)}}") }
        }
        if text.chance(2) { addList(&draft) }
        draft.parameters.append(.init("absent", .object(["type": .string("string"), "required": .bool(false)])))
    }

    private mutating func addList(_ draft: inout Draft) {
        let mayBreak = text.chance(3)
        let count = text.int(0...3)
        let join: OrderedJSON? = text.chance(2) ? nil : .string(text.pieces(0...2))
        let items = OrderedJSON.object(["type": "string", "minLength": .int(0)])
        draft.parameters.append(
            .init("list", .object(["type": "list", "items": items, "join": join, "default": .array([])])))
        for _ in 0..<count { draft.arguments.append("list=" + (mayBreak ? text.lines() + "x" : text.pieces(1...3))) }
        // An empty list has no value, which longer text can't do without.
        if count == 0 { return draft.absent = "{{list}}" }
        if mayBreak { draft.anywhere.append("{{list}}") } else { draft.onOneLine.append("{{list}}") }
    }

    /// Literal text, sometimes with a placeholder in it.
    private mutating func value(_ draft: Draft, mayBreak: Bool = false) -> OrderedJSON {
        let names = draft.onOneLine + (mayBreak ? draft.anywhere : [])
        let literal = mayBreak && text.chance(3) ? text.lines().replacing("{{", with: "\\{{") : text.pieces(0...4)
        guard !names.isEmpty, text.chance(2) else { return .string(literal) }
        let placeholder = text.pick(names)
        return .string(text.chance(3) ? placeholder : literal + placeholder + text.pieces(0...2))
    }

    private mutating func values(_ draft: Draft, mayBreak: Bool = false) -> OrderedJSON {
        switch text.int(0...7) {
        case 0: .array([value(draft, mayBreak: mayBreak), value(draft, mayBreak: mayBreak)])
        case 1: .array([value(draft, mayBreak: mayBreak), .string(draft.absent), .number("1.50"), .bool(true)])
        case 2: .string(draft.absent)
        default: value(draft, mayBreak: mayBreak)
        }
    }

    /// An object with this many different names. Those that begin with `x-` or `$` may mean something else.
    private mutating func object(_ count: Int, _ name: (inout Self) -> String, _ value: (inout Self) -> OrderedJSON)
        -> OrderedJSON
    {
        var members: [OrderedJSON.Member] = []
        for _ in 0..<count {
            let name = name(&self)
            guard !members.contains(where: { $0.name.lowercased() == name.lowercased() }) else { continue }
            members.append(.init(name, value(&self)))
        }
        return .object(members)
    }

    // MARK: Files

    private mutating func environment(_ draft: inout Draft) throws -> OrderedJSON {
        let variable = text.pieces(0...3)
        var members: [OrderedJSON.Member] = [
            .init("baseURL", .string(server + text.pick(["", "/", "/api", "/api/"]))),
            .init("variables", .object(["v": .string(variable)])),
            .init("secrets", .object(draft.secrets)),
        ]
        draft.onOneLine.append("{{v}}")
        let known = draft.inEnvironment
        if text.chance(2) { members.append(.init("headers", headers(known))) }
        if text.chance(3) { members.append(.init("query", query(known))) }
        if text.chance(4) { members.append(.init("auth", auth(known))) }
        return .object(members)
    }

    private mutating func endpoint(_ draft: inout Draft) throws -> OrderedJSON {
        let known = draft
        var members: [OrderedJSON.Member] = [
            .init("method", .string(text.pick(HostileText.methods))), .init("path", path(known)),
            .init("params", .object(draft.parameters)), .init("headers", headers(known)), .init("query", query(known)),
        ]
        if let body = try body(known) { members.append(.init("body", body)) }
        if text.chance(4) { members.append(.init("auth", auth(known))) }
        if text.chance(4) {
            members.append(.init("redirects", .object(["follow": .bool(true), "max": text.chance(2) ? .int(3) : nil])))
        }
        if text.chance(4) { members.append(.init("timeout", .number("30.5"))) }
        return .object(members)
    }

    private mutating func path(_ draft: Draft) -> OrderedJSON {
        let number = draft.number
        let dots = text.pick(["../b", "./b", "..", ".", "%2e%2E/b", ".../b"])
        switch text.int(0...3) {
        // A literal path has no query, but a value in it may look like one.
        case 0: return .string("/\(number)/" + text.pieces(0...6).filter { $0 != "?" && $0 != "#" })
        case 1: return .string("/\(number)/a/" + dots)
        case 2:
            let placeholder = draft.onOneLine.isEmpty ? "" : text.pick(draft.onOneLine)
            return .string("\(number)/x" + text.pieces(0...2).filter { $0 != "?" && $0 != "#" } + placeholder)
        default:
            let parts = (0..<text.int(0...3)).map { _ in OrderedJSON.string(text.pieces(1...3)) }
            let placeholder = (draft.onOneLine + draft.anywhere).randomElement(using: &text.random)
            return .array([.int(number)] + parts + [.string("{{absent}}"), .string("x" + (placeholder ?? ""))])
        }
    }

    /// A header value, sometimes with a line break, which is rejected.
    private mutating func headers(_ draft: Draft) -> OrderedJSON {
        let mayBreak = text.chance(60)
        return object(text.int(0...3)) {
            $0.text.pick(Self.headerNames)
        } _: {
            $0.text.chance(8) ? .null : $0.values(draft, mayBreak: mayBreak)
        }
    }

    private mutating func query(_ draft: Draft) -> OrderedJSON {
        if text.chance(4) { return rawQuery(draft) }
        return object(text.int(0...3)) {
            "q" + $0.text.pieces(0...3)
        } _: {
            $0.text.chance(8) ? .null : $0.values(draft, mayBreak: true)
        }
    }

    /// Text that is sent byte for byte, with values in it.
    private mutating func rawQuery(_ draft: Draft) -> OrderedJSON {
        if text.chance(8) { return .null }
        let names = draft.onOneLine + draft.anywhere
        let texts = (0..<text.int(0...5)).map { _ in
            names.isEmpty || text.chance(2) ? text.pick(HostileText.inQueries) : text.pick(names)
        }
        return .string(texts.joined())
    }

    private mutating func auth(_ draft: Draft) -> OrderedJSON {
        let value = credential(draft)
        return switch text.int(0...4) {
        case 0: .null
        case 1: .object(["bearer": value])
        case 2: .object(["basic": .object(["user": .string(text.pick(["ada", "a b", "é"])), "password": value])])
        case 3: .object(["apiKey": .object(["header": .string("X-Key"), "value": value])])
        default: .object(["apiKey": .object(["query": .string("key"), "value": value])])
        }
    }

    /// A credential that is only whitespace is rejected, so nearly all begin with a letter.
    private mutating func credential(_ draft: Draft) -> OrderedJSON {
        guard case .string(let text) = value(draft), !self.text.chance(20) else { return value(draft) }
        return .string("t" + text)
    }

    private mutating func body(_ draft: Draft) throws -> OrderedJSON? {
        switch text.int(0...10) {
        case 0, 1, 2: return nil
        case 3: return .object(["text": .string("")])
        case 4: return .object(["text": value(draft, mayBreak: true)])
        case 5:
            let inner = OrderedJSON.array([value(draft, mayBreak: true), .number("1.0e5"), .null])
            return .object(["json": .object(["k" + text.pieces(0...2): inner, "v": value(draft, mayBreak: true)])])
        case 6:
            let form = object(text.int(1...3)) {
                "f" + $0.text.pieces(0...2)
            } _: {
                $0.values(draft, mayBreak: true)
            }
            return .object(["form": form])
        case 7: return .object(["file": .string(try file(draft.number))])
        case 8: return .object(["base64": .string(Data(text.bytes(0...300)).base64EncodedString())])
        case 9:
            let parts: OrderedJSON = .object([
                "a" + text.pieces(0...1): value(draft, mayBreak: true),
                "file": .object(["file": .string(try file(draft.number)), "filename": .string(text.pieces(1...2))]),
            ])
            return .object(["multipart": parts])
        default:
            let variables = OrderedJSON.object(["a": value(draft, mayBreak: true)])
            return .object([
                "graphql": .object(["query": .string("{ a(b: \"\(text.plain())\") }"), "variables": variables])
            ])
        }
    }

    private mutating func file(_ number: Int) throws -> String {
        let path = "bodies/\(number)'$x"
        try workspace.write(path, "")
        _ = try workspace.folder.write(path, text.bytes(0...500))
        return path
    }

    private mutating func flags(_ draft: Draft) -> [String] {
        var flags: [String] = []
        if text.chance(4) { flags += ["-H", "X-Flag: " + text.plain()] }
        if text.chance(6) { flags += ["-H", text.pick(["X-A:", "X-A;", "Accept:", "User-Agent:", "Content-Type:"])] }
        if text.chance(4) { flags += ["-q", "q" + text.plain() + "=" + text.pieces(0...3)] }
        if text.chance(8) { flags += ["--body", "b" + text.lines()] }
        return flags
    }
}

/// The pieces that hostile values are made of.
struct HostileText {
    private static let pieces: [String] = [
        "a", "Z9", "é", "日本", "😀", "'", "''", "\"", "`", "$", "$HOME", "$(touch canary)", "`touch canary`", "${x}",
        "\\", "\\\\", "\\n", "\\'", "!", "!!", "#", "&", "&& touch canary", ";touch canary;", "|", "<", ">", "(", ")",
        "*", "?", "[a-z]", "{a,b}", "{}", "~", "%", "%s", "%41", "%%", "@", "@file", "=", "+", ",", "-", "--", "-H",
        ":", "/", " ", "  ", "\t", "..", ".", "$'x'", "EOF", "\u{301}", "'\u{301}", "\u{2018}", "\u{201C}", "\u{A0}",
        "\u{2028}", "\u{FEFF}", "\u{1F1E9}\u{1F1EA}",
    ]
    /// What a raw query can hold.
    static let inQueries = [
        "a", "=", "&", "&&", "?", "/", "+", ":", "@", "'", "!", "$", "$HOME", "(", ")", "*", ",", ";", "%e9", "%C3%A9",
        "%26", "%00", "a=1", "b=%7b", "~", "..", "-H",
    ]
    private static let lines = ["\n", "\r\n", "\r", "\n\n", "\u{1}", "\u{7F}", "\u{B}", "{{", "{{p0}}", "\\{{"]
    static let methods =
        HTTPMethod.standard.map(\.token) + [
            "GET", "GET", "POST", "POST", "PURGE", "QUERY", "M-SEARCH", "X'Y", "A`B", "A$B", "A!B", "*", "A|B", "~",
            "#", "a&b",
        ]

    var random: SeededGenerator

    /// Text for a definition, in which `{{` never starts a placeholder.
    mutating func pieces(_ count: ClosedRange<Int>) -> String {
        (0..<int(count)).map { _ in pick(Self.pieces) }.joined().replacing("{{", with: "{")
    }

    /// Text that begins and ends with a visible character.
    mutating func plain() -> String { "a" + pieces(0...3).filter { $0 != "\"" && $0 != "\\" } + "z" }

    /// Lines for a param or a flag, where every character is literal.
    mutating func lines() -> String {
        (0..<int(0...4)).map { _ in pieces(0...3) + pick(Self.lines) }.joined()
    }

    mutating func bytes(_ count: ClosedRange<Int>) -> [UInt8] {
        (0..<int(count)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func chance(_ oneIn: Int) -> Bool { int(1...oneIn) == 1 }

    mutating func pick<Element>(_ list: [Element]) -> Element { list[int(0...(list.count - 1))] }
}
