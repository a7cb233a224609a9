import CommandLineKit
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Notes about what is sent as it was typed or written, although it is probably a mistake.
struct LikelyMistakes {
    private let flags: RequestFlags
    private let arguments: ParsedArguments
    private let context: Context

    init(_ flags: RequestFlags, _ arguments: ParsedArguments, _ context: Context) {
        self.flags = flags
        self.arguments = arguments
        self.context = context
    }

    private var members: [TypedBody.Member] {
        flags.typed?.items.compactMap { if case .member(let member) = $0 { member } else { nil } } ?? []
    }

    /// Notes mistakes in the method, the path and the body, before anything is sent.
    func note(calling endpoint: LocatedEndpoint) {
        let method = flags.typed?.method ?? endpoint.method
        if let near = HTTPMethods.standard(near: method) {
            context.note("\(method) is not a standard method; did you mean \(near)?")
        }
        if !members.isEmpty, let method = flags.typed?.method, ["GET", "HEAD"].contains(method) {
            context.note("\(method) is sent with a body; for the query write \(members[0].name)==VALUE")
        }
        notePlaceholders(flags.typed?.path ?? endpoint.path(in: nil), of: endpoint)
        for case (let name, .text(let text)) in members.map({ ($0.name, $0.value) }) where isFile(after: "@", in: text)
        {
            context.note("\(name)=\(text) sends this text; \(name)@=\(text.dropFirst()) sends the text of the file")
        }
        if arguments.isDefined(RequestOptions.body), let body = arguments[RequestOptions.body],
            isFile(after: "", in: body)
        {
            context.note("--body \(body) sends this text; --body @\(body) sends the file")
        }
    }

    /// Notes names that are written as in other tools, such as `{id}` and `:id`.
    private func notePlaceholders(_ path: String, of endpoint: LocatedEndpoint) {
        if let typed = flags.typed {
            if (path + (typed.query ?? "")).contains("{{") {
                context.note("the URL has {{ as plain text; only files have placeholders")
            }
            for part in path.split(separator: "/") where part.hasPrefix(":") && part.utf8.count > 1 {
                context.note("the path has \(part) as plain text; write the value in its place")
            }
            return
        }
        for name in endpoint.unusedParameters.map(\.name) where flags.parameters.contains(where: { $0.name == name }) {
            let parts = path.split(separator: "/").map(String.init)
            guard let plain = path.contains("{\(name)}") ? "{\(name)}" : parts.first(where: { $0 == ":\(name)" }) else {
                continue
            }
            context.note("the path has \(plain) as plain text; a placeholder has two braces: {{\(name)}}")
        }
    }

    private func isFile(after mark: String, in text: String) -> Bool {
        guard text.hasPrefix(mark), text.utf8.count > mark.utf8.count, text.utf8.count < 1000,
            !text.contains(where: { $0.isNewline || $0 == "{" }),
            let path = try? context.pathFromHere(String(text.dropFirst(mark.count)))
        else { return false }
        return context.files.kind(path) == .file
    }

    /// Notes a body that begins like JSON, but isn't.
    func note(sending request: PreparedRequest) {
        let isTyped =
            flags.typed != nil || arguments.isDefined(RequestOptions.body) && arguments[RequestOptions.body] != nil
        guard isTyped, let bytes = bytes(of: request), let first = bytes.first(where: { !$0.isJSONWhitespace }),
            first == .openBrace || first == .openBracket
        else { return }
        let document = JSONDocument.read(SourceFile(name: "body", bytes: bytes), limits: .init(problems: 1))
        guard document.validRoot == nil, let problem = document.problems.first else { return }
        let position = document.file.position(of: problem.range.lowerBound)
        let type = request.headers["Content-Type"].map { ", but is sent as \($0)" } ?? ""
        // The reader's message may quote the body, which may hold a secret.
        context.note("the body is not JSON (line \(position.line), column \(position.column))\(type)")
    }

    /// The body, if it is short.
    private func bytes(of request: PreparedRequest) -> [UInt8]? {
        guard let pieces = request.body?.pieces, pieces.count == 1 else { return nil }
        switch pieces[0] {
        case .data(let data): return data.count > Self.longestJSON ? nil : Array(data)
        case .file(let path): return try? context.files.read(path, Self.longestJSON)
        }
    }

    private static let longestJSON = 1 << 20

    /// Notes input that was probably meant as the body: a pipe, or a file from which nothing has been read.
    func noteUnreadInput(_ method: HTTPMethod) {
        guard !flags.readsInput, flags.credentials?.mayReadInput != true else { return }
        let body = members.isEmpty ? arguments.isGiven(RequestOptions.body) ? "--body" : nil : "\(members[0].name)=…"
        let mayBeBody = flags.typed.map { $0.method == nil || body != nil } ?? !HTTPMethod.isSafe(method.token)
        guard mayBeBody else { return }
        switch context.world.pipedInput(.zero) {
        case .bytes, .file(isBegun: false): break
        default: return
        }
        context.note(
            "standard input was not sent: "
                + (body.map { "\($0) is the body already" }
                    ?? (flags.typed == nil
                        ? "the endpoint has its own body; --body - sends the input"
                        : "write POST before the URL to send it as the body, or GET to leave it alone"))
        )
    }
}
