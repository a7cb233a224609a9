import Rendering
import ReqcliNetworking
import RequestBuilding
import TestSupport

/// Makes requests from everything that breaks shells, curl and URLs. The same seed makes the same requests.
struct HostileRequests {
    private static let pieces: [String] = [
        "a", "Z9", "é", "日本", "😀", "'", "''", "\"", "`", "$", "$HOME", "$(touch canary)", "`touch canary`", "${x}",
        "\\", "\\\\",
        "\\n", "\\'", "!", "!!", "#", "&", "&& touch canary", ";touch canary;", "|", "<", ">", "(", ")", "*", "?",
        "[a-z]", "{a,b}",
        "{}", "~", "%", "%s", "%41", "%%", "@", "@file", "=", "+", ",", "-", "--", "-H", ":", "/", " ", "  ", "\t",
        "..", ".",
        "$'x'", "EOF", "\u{301}", "'\u{301}", "\"\u{301}", "\\\u{301}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{A0}",
        "\u{85}",
        "\u{2028}", "\u{FEFF}",
    ]
    private static let lines = ["\n", "\r\n", "\r", "\n\n", "\u{1}", "\u{7F}", "\u{B}"]
    private static let methods =
        HTTPMethod.standard.map(\.token) + [
            "PURGE", "QUERY", "M-SEARCH", "X'Y", "A`B", "A$B", "A!B", "*", "A|B", "~", "#", "a&b",
        ]
    private static let headerNames = [
        "X-A", "x-a", "X-B", "Accept", "accept", "User-Agent", "Content-Type", "Authorization", "Cookie", "Referer",
        "If-None-Match",
        "X'Y", "$X", "`X`", "!X", "#X", "&X", "*", "~X", "%X", "Accept-Encoding", "Expect", "Range", "Origin", "Host",
        "TE",
    ]

    var random: SeededGenerator
    let origin: String
    let folder: TemporaryFolder

    /// One request and the options that render it. Its path begins with its number.
    struct Case {
        let number: Int
        let input: RenderingInput
        let isOneLine: Bool
        /// The variables that the shell's environment must contain.
        let environment: [String: String]
    }

    mutating func next(_ number: Int) throws -> Case {
        var environment: [String: String] = [:]
        let secrets = try secrets(number, &environment)
        var builder = RequestBuilder().baseURL(origin).method(pick(Self.methods))
        builder = addPath(builder, number)
        for _ in 0..<int(0...3) { builder = builder.addingQueryItem(text(0...4), value(secrets, 0...5)) }
        builder = try addBody(builder, secrets, number)
        for _ in 0..<int(0...4) {
            let name = pick(Self.headerNames)
            // 100-continue makes a client wait, which is not tested here.
            let value = name == "Expect" ? "" : value(secrets, 0...5)
            builder = name == "Host" || chance(3) ? builder.header(name, value) : builder.addingHeader(name, value)
        }
        if chance(8), let secret = secrets.first {
            builder = builder.authorization(
                user: text(1...2).filter { $0 != ":" && $0.isASCII }, password: secret.value)
        }
        var transfer = TransferSettings.plain
        transfer.timeouts.total = chance(4) ? .seconds(30.5) : nil
        transfer.redirects.isFollowing = chance(4)
        transfer.redirects.maximum = chance(2) ? 3 : 10
        let defaults = WireDefaults(
            userAgent: chance(4) ? nil : "reqcli/1.0", accept: chance(4) ? nil : "*/*")
        return Case(
            number: number,
            input: RenderingInput(
                request: try builder.prepared(over: transfer), defaults: defaults, secrets: secrets),
            isOneLine: chance(3), environment: environment)
    }

    // MARK: Parts

    private mutating func addPath(_ builder: RequestBuilder, _ number: Int) -> RequestBuilder {
        switch int(0...3) {
        case 0: builder.path("/\(number)/" + text(0...6).filter { !$0.isNewline })
        case 3: builder.path("/\(number)/a/" + pick(["../b", "./b", "..", ".", "%2e%2E/b", "//b", ".../b"]))
        case 1: builder.path(segments: [String(number)] + (0..<int(0...3)).map { _ in text(1...3) + "x" })
        default: builder.path(segments: [String(number), pick([".", "..", "%2e"]), text(1...2), pick([".", ".."])])
        }
    }

    private mutating func addBody(
        _ builder: RequestBuilder, _ secrets: [RenderedSecret], _ number: Int
    ) throws -> RequestBuilder {
        switch chance(60) ? 13 : int(0...12) {
        case 0, 1, 2: return builder
        case 3: return builder.body(Data())
        case 4: return builder.textBody(multiline(secrets))
        case 5: return builder.body(Data(multiline(secrets).utf8))
        case 6: return builder.jsonBody([text(0...3): multiline(secrets), "b": text(0...4)])
        case 7: return builder.formBody([(text(1...3), value(secrets, 0...4)), (text(1...3), text(0...4))])
        case 8: return builder.body(Data(bytes(0...300)), contentType: "application/octet-stream")
        case 9: return builder.body(Data(multiline(secrets).utf8) + [0] + Data(multiline(secrets).utf8))
        case 10: return builder.fileBody(path: try file(number), contentType: "a/b")
        case 11:
            return builder.multipartBody(
                MultipartBody(parts: [.text(text(1...3), multiline(secrets)), .text("b", text(0...3))]))
        case 12:
            let parts: [MultipartBody.Part] = [
                .text(text(1...3), multiline(secrets)), .file("file", path: try file(number), filename: text(1...3)),
                .init(name: "bin", contentType: "a/b", content: .data(Data(bytes(0...40)))),
            ]
            return builder.multipartBody(MultipartBody(parts: parts))
        default:
            let size = chance(8) ? 1_100_000 : chance(2) ? 140_000 : 131_071
            let filler = Array((text(1...4) + "x").utf8)
            let big = (0..<size).map { filler[$0 % filler.count] }
            return chance(2) ? builder.body(Data(big)) : builder.body(Data(big) + [0, 255])
        }
    }

    private mutating func secrets(_ number: Int, _ environment: inout [String: String]) throws -> [RenderedSecret] {
        guard chance(3) else { return [] }
        return try (0..<int(1...2)).map { index in
            let name = "SECRET_\(number)_\(index)"
            let value = "s3cr3t\(number)x\(index)" + (chance(2) ? "" : text(0...4)) + "end"
            switch int(0...2) {
            case 0:
                environment[name] = value
                return RenderedSecret(name: name, value: value, source: .environment(name))
            case 1:
                let source = RenderedSecret.Source.command(["printf", "%s\\n", value], folder: chance(2) ? "/" : nil)
                return RenderedSecret(name: name, value: value, source: source)
            default:
                let path = try folder.write("secret \(name)'", Array((value + "\n").utf8))
                return RenderedSecret(name: name, value: value, source: .file(path))
            }
        }
    }

    private mutating func file(_ number: Int) throws -> String {
        try folder.write("body \(number)'$x", bytes(0...500))
    }

    // MARK: Values

    private mutating func multiline(_ secrets: [RenderedSecret]) -> String {
        (0..<int(0...5)).map { _ in value(secrets, 0...3) + pick(Self.lines) }.joined() + text(0...2)
    }

    private mutating func value(_ secrets: [RenderedSecret], _ count: ClosedRange<Int>) -> String {
        let text = text(count)
        guard let secret = secrets.randomElement(using: &random), chance(2) else { return text }
        return text + secret.value + self.text(0...2)
    }

    private mutating func text(_ count: ClosedRange<Int>) -> String {
        (0..<int(count)).map { _ in pick(Self.pieces) }.joined()
    }

    private mutating func bytes(_ count: ClosedRange<Int>) -> [UInt8] {
        (0..<int(count)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func chance(_ oneIn: Int) -> Bool { int(1...oneIn) == 1 }

    private mutating func pick<Element>(_ list: [Element]) -> Element { list[int(0...(list.count - 1))] }
}

extension TransferSettings {
    /// Settings that need neither an option nor a note.
    static let plain: TransferSettings = {
        var settings = TransferSettings()
        settings.timeouts = Timeouts()
        settings.redirects.isFollowing = false
        return settings
    }()
}
