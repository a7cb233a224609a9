import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Makes an endpoint for each URL of a curl command.
struct CurlMapping {
    let command: CurlCommand
    let isExact: Bool
    private(set) var notes: [ConversionNote] = []
    var params: [ImportedParam] = []
    /// The names of the params.
    var names = ParamNames()

    init(_ command: CurlCommand, isExact: Bool) {
        self.command = command
        self.isExact = isExact
    }

    mutating func request(for target: CurlCommand.Target) -> ImportedRequest {
        var request = ImportedRequest(at: command.place)
        let method = command.method(for: target)
        request.method = method.text ?? "GET"
        if method.text == nil {
            note(.toDo, "the method is a shell variable", method.description, at: method.place)
        }
        addURL(of: target, to: &request)
        addHeaders(to: &request)
        addAccount(to: &request)
        addBody(of: target, to: &request)
        addSettings(to: &request)
        for option in addConnection(to: &request) { tell(option) }
        request.params = params
        if !isExact {
            BrowserNoise.remove(from: &request, &notes)
            request.makeGraphQLBody()
            request.makeParamsOfPathValues()
        }
        return request
    }

    // MARK: URL

    private mutating func addURL(of target: CurlCommand.Target, to request: inout ImportedRequest) {
        var text = TemplateText([])
        for piece in target.url.pieces {
            switch piece {
            case .text(let word): text.append(contentsOf: word.template)
            default: text.append(.placeholder(addParam(for: piece, behind: text)))
            }
        }
        var url = URLText(text.withTwoSlashes)
        if !command.keepsDotSegments { url.path = url.path.removingDotSegments }
        if target.upload != nil, let file = target.upload?.fileName { url.appendUploadName(file) }
        request.base = url.base?.text
        request.path = url.path.textInURL
        // The account of --user overrides the account in the URL.
        if let account = url.credentials, command.user == nil {
            addAccount(account.user, account.password, to: &request)
        }
        var query = [url.query].compactMap(\.self)
        if command.sendsDataAsQuery { query += dataText().map { [$0] } ?? [] }
        query += command.query.compactMap { encoded($0) }
        // An "&" at the end of the URL's query is the separator before the next piece.
        if query.count > 1, case .literal(let text)? = query[0].pieces.last, text.hasSuffix("&") {
            query[0].pieces[query[0].pieces.count - 1] = .literal(String(text.dropLast()))
        }
        let joined = query.filter { !$0.isEmpty }.joined(by: "&")
        request.query = ImportedQuery(joined, isExact: isExact)
        if command.requestTarget != nil {
            note(.lost, "a separate request target is not converted", "--request-target", at: command.place)
        }
    }

    /// Adds a param for a range or alternatives in the URL, such as `[1-9]` or `{a,b}`. Returns the name of the param.
    private mutating func addParam(for piece: CurlURL.Piece, behind text: TemplateText) -> String {
        var type = ParamType(.string)
        switch piece {
        case .alternatives(let words, _): type.allowed = words.map { .literal($0.description) }
        case .numbers(let range, let step, let width, let place):
            type = ParamType(.integer)
            (type.minimum, type.maximum) = (String(range.lowerBound), String(range.upperBound))
            if step != 1 || width > 1 {
                note(
                    .approximated, "a range of the URL has steps or leading zeros; the param only has bounds", at: place
                )
            }
        case .letters(let range, let step, _):
            type.allowed = stride(from: Int(range.lowerBound), through: Int(range.upperBound), by: max(1, step)).map {
                .string(String(UnicodeScalar(UInt8($0))))
            }
        case .text: return ""
        }
        let name = names.take(Self.subject(of: text))
        var param = ImportedParam(name, type)
        param.example = type.allowed.first ?? type.minimum.map { .number($0) }
        params.append(param)
        return name
    }

    /// A name for a value in a URL, taken from the text before the value: the name of the query item, or the previous segment of
    /// the path.
    private static func subject(of text: TemplateText) -> String {
        guard case .literal(let before)? = text.pieces.last else { return "value" }
        if before.hasSuffix("=") {
            return String(before.dropLast().split(whereSeparator: { "?&".contains($0) }).last ?? "value")
        }
        guard before.hasSuffix("/"), before.contains("://"), let last = before.split(separator: "/").dropFirst(2).last
        else { return "value" }
        return Words.singular(String(last)) + "ID"
    }

    // MARK: Headers

    private mutating func addHeaders(to request: inout ImportedRequest) {
        var values: [(name: String, value: OrderedJSON)] = []
        for header in command.headers {
            guard let name = header.name.text else {
                note(
                    .toDo, "the name of a header is a shell variable", header.name.description, at: header.place)
                continue
            }
            values.append((name, header.value.map { .string($0.template.text) } ?? .null))
        }
        addHeaders(values, to: &request)
        if command.isJSON {
            for name in ["Content-Type", "Accept"] { request.headers.add(name, "application/json") }
        }
        for file in command.cookieFiles {
            note(
                .lost, "a file of cookies is not part of an endpoint: pass --cookie-file to \"reqcli send\"",
                file.description,
                at: file.place)
        }
    }

    /// Adds the headers that curl sends. `-H 'Name:'` only removes a header that curl would add itself.
    private mutating func addHeaders(
        _ headers: [(name: String, value: OrderedJSON)], to request: inout ImportedRequest
    ) {
        let set = Set(headers.filter { $0.value != .null }.map { $0.name.lowercased() })
        var hasHost = false
        let sent = headers.filter { header in
            let name = header.name.lowercased()
            if header.value == .null, set.contains(name) { return false }
            guard name == "host" else { return true }
            defer { hasHost = true }
            // If a command has several Host headers, curl sends the first.
            return !hasHost && header.value != .null
        }
        if command.headers.contains(where: { $0.name.text?.lowercased() == "host" }), !set.contains("host") {
            note(.lost, "a request always has the header Host", at: command.place)
        }
        request.headers = .grouped(sent, ignoringCase: true)
    }

    // MARK: Credentials

    private mutating func addAccount(to request: inout ImportedRequest) {
        if let token = command.bearer { request.auth = .bearer(token.template.text) }
        if let scope = command.awsSigV4 {
            let account = command.user.map { user in
                user.split(at: UInt8(ascii: ":")).map { ($0.before.template.text, $0.after.template.text) }
                    ?? (user.template.text, "")
            }
            let signature = ImportedAuth.aws(
                curl: scope.template.text, user: account?.0 ?? "", password: account?.1 ?? "", base: request.base)
            if let signature {
                request.auth = signature
            } else {
                note(.lost, ImportedAuth.otherProvider, at: command.place)
            }
            return
        }
        guard let user = command.user else { return }
        if command.bearer != nil {
            // curl sends the bearer token, unless the command also asks for another kind of authentication and the server chooses
            // it.
            guard let kind = command.authKinds.last else { return }
            note(
                .approximated,
                "curl lets the server choose between the bearer token and the user with its password; the endpoint has only the last of them",
                at: kind.place)
        }
        let account = user.split(at: UInt8(ascii: ":"))
        addAccount(
            account?.before.template ?? user.template, account?.after.template ?? TemplateText([]), to: &request)
    }

    /// Adds the account of `--user` or of the URL, for the kind of authentication that the command asks for.
    private mutating func addAccount(
        _ name: TemplateText, _ password: TemplateText, to request: inout ImportedRequest
    ) {
        let kind = command.authKinds.last
        let isChoice =
            command.authKinds.count > 1 && command.authKinds.allSatisfy { [.basic, .digest].contains($0.value) }
        switch isChoice ? .any : kind?.value {
        case .digest: request.auth = .account(name, password, kind: .digest)
        case .any: request.auth = .account(name, password, kind: .any)
        case .ntlm, .negotiate:
            note(
                .lost, "\(kind?.value.rawValue ?? "") is not supported; the endpoint has no credentials",
                at: kind?.place ?? command.place)
        case .basic, nil: request.auth = .account(name, password)
        }
    }

    // MARK: Notes

    mutating func note(_ kind: ConversionNote.Kind, _ message: String, _ detail: String? = nil, at place: Place) {
        notes.append(ConversionNote(kind, message, detail, at: place))
    }

    private mutating func tell(_ option: CurlCommand.Unsupported) {
        // No message contains the value, since the value may contain credentials, such as those of a proxy.
        let message = option.flag.map { "\(option.option) is not part of an endpoint: pass \($0) to \"reqcli send\"" }
        note(.lost, message ?? "\(option.option) is not converted", at: option.place)
    }
}

extension CurlContent {
    /// The last component of a file's path.
    fileprivate var fileName: String? {
        guard case .file(let word) = self, let path = word.text, path != "-" else { return nil }
        return path.split(separator: "/").last.map(String.init)
    }
}

extension TemplateText {
    /// The URL with two slashes after its scheme. curl takes one to three of them.
    fileprivate var withTwoSlashes: TemplateText {
        guard case .literal(let text)? = pieces.first, let match = text.prefixMatch(of: /(?i)(https?:)\/{1,3}(?!\/)/)
        else {
            return self
        }
        var copy = self
        copy.pieces[0] = .literal(match.output.1 + "//" + text[match.range.upperBound...])
        return copy
    }

    /// The path without `.` and `..`, as curl sends it.
    fileprivate var removingDotSegments: TemplateText {
        let segments = split(by: UInt8(ascii: "/"))
        guard segments.contains(where: { $0.literal == "." || $0.literal == ".." }) else { return self }
        var kept: [TemplateText] = []
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment.literal {
            case ".": if isLast { kept.append(TemplateText([])) }
            case "..":
                if kept.count > 1 { kept.removeLast() }
                if isLast { kept.append(TemplateText([])) }
            default: kept.append(segment)
            }
        }
        return kept.joined(by: "/")
    }
}

extension URLText {
    /// Appends the name of the uploaded file to a URL that ends with a slash, as curl does.
    fileprivate mutating func appendUploadName(_ name: String) {
        guard case .literal(let text)? = path.pieces.last, text.hasSuffix("/") else { return }
        path.append(.literal(PercentEncoding.segment(name)))
    }
}

extension ShellWord {
    /// The word as an endpoint file writes it. A variable of the shell becomes a process variable.
    var template: TemplateText {
        TemplateText(
            parts.map { part in
                switch part.content {
                case .text(let text): .literal(text)
                case .variable(let name, _): .placeholder("$env.\(name)")
                }
            })
    }
}

extension TemplateText {
    mutating func append(contentsOf other: TemplateText) {
        for piece in other.pieces { append(piece) }
    }

    /// The text as a path in an endpoint file. Literal braces are percent-encoded.
    var textInURL: String {
        pieces.map { piece in
            switch piece {
            case .literal(let text): TextTemplate.escaped(inURL: text)
            case .placeholder(let name): "{{\(name)}}"
            }
        }.joined()
    }
}
