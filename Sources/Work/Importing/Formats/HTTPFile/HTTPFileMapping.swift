import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Makes an endpoint from a request of an .http file.
struct HTTPFileMapping {
    let block: HTTPFileBlock
    let isExact: Bool
    var names: HTTPFileNames
    var notes: [ConversionNote] = []
    var jsonNames: Set<String> = []
    /// The name under which other requests refer to this request.
    private(set) var reference: String?

    init(_ block: HTTPFileBlock, _ names: HTTPFileNames, isExact: Bool) {
        self.block = block
        self.names = names
        self.isExact = isExact
    }

    mutating func request() -> ImportedRequest? {
        for line in block.others { lose(line) }
        guard let line = block.request.first else {
            for script in block.scripts {
                note(.lost, "a script without a request is not converted", at: place(script.range))
            }
            return nil
        }
        if line.begins(with: "curl ") { return curlRequest(line) }
        guard let start = Self.start(block.request.map(\.text)) else {
            note(.lost, "a line is not a request", at: line.place)
            return nil
        }
        if ["WEBSOCKET", "WSS", "GRPC", "RSOCKET"].contains(start.method) {
            note(.lost, "requests of this protocol are not converted", start.method, at: line.place)
            return nil
        }
        var request = ImportedRequest(at: line.place, method: start.method)
        readDirectives(&request)
        request.name = reference ?? block.title.flatMap { $0.isEmpty ? nil : $0 }
        request.description = block.comment ?? (reference == nil ? nil : block.title.flatMap { $0.isEmpty ? nil : $0 })
        let isGraphQL = start.method == "GRAPHQL"
        if isGraphQL { request.method = "POST" }
        addHeaders(&request)
        addURL(start.url, to: &request)
        notes += names.takeNotes(at: line.place)
        addBody(isGraphQL: isGraphQL || takeGraphQLMark(&request), to: &request)
        addScripts(&request)
        notes += names.takeNotes(at: block.body.first?.place ?? line.place)
        if !isExact { request.makeParamsOfPathValues() }
        return request
    }

    /// The request of a curl command, which may stand in place of a request.
    private mutating func curlRequest(_ first: SourceLine) -> ImportedRequest? {
        let lines = block.request + block.headers + block.body
        let text = lines.map(\.text).joined(separator: "\n")
        let script = ShellScript.read(SourceFile(name: first.file.name, text: text, isSecret: true), dialect: .sh)
        guard let command = CurlCommand.read(script).commands.first, let target = command.targets.first else {
            note(.lost, "a line is not a request", at: first.place)
            return nil
        }
        var mapping = CurlMapping(command, isExact: isExact)
        var request = mapping.request(for: target)
        request.place = first.place
        request.name = block.title.flatMap { $0.isEmpty ? nil : $0 }
        for note in mapping.notes { self.note(note.kind, note.message, note.detail, at: first.place) }
        return request
    }

    mutating func note(_ kind: ConversionNote.Kind, _ message: String, _ detail: String? = nil, at place: Place) {
        notes.append(ConversionNote(kind, message, detail, at: place))
    }

    private func place(_ range: Range<Int>) -> Place { Place(block.request.first?.file ?? Self.noFile, range) }

    private static let noFile = SourceFile(name: "", bytes: [])

    private mutating func lose(_ line: SourceLine) {
        // A line that names the file for the response isn't part of the request.
        if line.begins(with: ">>") || line.begins(with: "<>") { return }
        let isScript = line.begins(with: ">") || line.begins(with: "<")
        note(.lost, isScript ? "a script is not converted" : "an unknown line is not converted", at: line.place)
    }

    // MARK: Request line

    /// The method and the URL; nil if the lines are prose.
    static func start(_ lines: [String]) -> (method: String, url: String)? {
        var method = "GET"
        var url = lines.joined().trimmed
        let words = (lines.first ?? "").split(maxSplits: 1, whereSeparator: { $0 == " " || $0 == "\t" })
        if words.count == 2, isMethod(words[0]) {
            method = words[0].uppercased()
            url = String(url.dropFirst(words[0].count)).trimmed
        } else if !isAddress(words.first ?? "") {
            return nil
        }
        if let version = url.split(separator: " ").last, version.hasPrefix("HTTP/") {
            url = String(url.dropLast(version.count)).trimmed
        }
        return (method, url)
    }

    /// Whether a word is a method. A known method may be in upper or lower case; any word in capitals is also a method.
    private static func isMethod(_ word: Substring) -> Bool {
        word.utf8.allSatisfy { $0 &- 0x41 < 26 || $0 == .minus } || HTTPFileImport.methods.contains(word.uppercased())
    }

    /// Whether a word may begin a URL that has no method before it.
    private static func isAddress(_ word: Substring) -> Bool {
        word.hasPrefix("/") || word.contains("{{") || word.contains { ".:/".contains($0) } || word == "localhost"
    }

    private mutating func addURL(_ text: String, to request: inout ImportedRequest) {
        let url = URLText(names.template(text))
        request.base = url.base?.text
        request.path = url.path.textInURL
        request.query = ImportedQuery(url.query ?? TemplateText([]), isExact: isExact)
        if let account = url.credentials { request.auth = .account(account.user, account.password) }
        if request.base == nil, let host = request.headers.text("Host") {
            // VS Code uses https for these ports.
            let isSecure = host.hasSuffix(":443") || host.hasSuffix(":8443")
            request.base = "\(isSecure ? "https" : "http")://\(host)"
            request.headers.remove("Host")
        }
    }

    // MARK: Directives

    private mutating func readDirectives(_ request: inout ImportedRequest) {
        var prompted: Set<String> = []
        for (name, value, place) in block.directives {
            switch name {
            case "name":
                if Name.isValid(value) { reference = value }
            case "prompt":
                let words = value.split(separator: " ", maxSplits: 1).map(String.init)
                guard let param = words.first.map({ ParamNames.clean($0) }),
                    prompted.insert(param).inserted
                else { continue }
                let text = words.count > 1 ? words[1].trimmed : nil
                request.params.append(ImportedParam(param, description: text))
            case "timeout", "connection-timeout":
                guard let time = HurlDuration.milliseconds(value.filter { $0 != " " }, unit: 1000) else {
                    note(.lost, "a comment with a setting is not converted", "@" + name, at: place)
                    continue
                }
                request.settings.set(name == "timeout" ? "timeout.total" : "timeout.connect", .milliseconds(time))
            case "no-redirect", "no-cookie-jar", "no-log", "no-auto-encoding", "use-os-credentials", "description":
                break
            case "note":
                note(
                    .lost, "VS Code asks before it sends a request: for the same, add \"policy\" to an environment",
                    at: place)
            default: note(.lost, "a comment with a setting is not converted", "@" + name, at: place)
            }
        }
    }

    // MARK: Headers

    private mutating func addHeaders(_ request: inout ImportedRequest) {
        var headers: [(name: String, value: OrderedJSON)] = []
        for line in block.headers {
            let parts = line.text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0]).trimmed
            guard parts.count == 2, name.isToken else {
                note(.lost, "a line is not a header", at: line.place)
                continue
            }
            let value = String(parts[1]).trimmed
            if name.lowercased() == "authorization", addAccount(value, at: line.place, to: &request) { continue }
            let text = names.template(value)
            notes += names.takeNotes(at: line.place)
            // The kind of the body depends on the Content-Type, so file variables in this header are replaced by their values.
            headers.append((name, .string((name.lowercased() == "content-type" ? names.resolved(text) : text).text)))
        }
        request.headers = .grouped(headers, ignoringCase: true)
    }

    /// `Basic user password`, `Basic user:password` and `Digest user password`.
    private mutating func addAccount(_ value: String, at place: Place, to request: inout ImportedRequest) -> Bool {
        let words = value.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return false }
        let scheme = words[0].lowercased()
        if scheme == "aws" {
            note(.toDo, "requests are not signed for AWS: add \"auth\"", at: place)
            return true
        }
        guard let kind = ImportedAuth.AccountKind(rawValue: scheme), kind != .any else { return false }
        let text = names.template(words[1].trimmed)
        let parts = text.split(by: .space, atMost: 2).map(\.trimmed)
        let account = parts.count == 2 ? parts : text.split(by: .colon, atMost: 2)
        guard account.count == 2 else { return false }
        request.auth = .account(account[0], account[1], kind: kind)
        return true
    }

    private func takeGraphQLMark(_ request: inout ImportedRequest) -> Bool {
        guard request.headers.text("X-Request-Type")?.lowercased() == "graphql" else { return false }
        request.headers.remove("X-Request-Type")
        return true
    }

    // MARK: Scripts

    private mutating func addScripts(_ request: inout ImportedRequest) {
        var draft = ExpectDraft()
        for script in block.scripts {
            let place = place(script.range)
            if script.isBefore {
                if !script.text.trimmed.isEmpty { note(.lost, "a script is not converted", at: place) }
                continue
            }
            let units = ScriptUnit.list(script.text, .jetBrains, naming: ParamNames.clean)
            let conditions = units.compactMap(\.conditions).flatMap(\.self)
            guard units.allSatisfy({ $0.conditions != nil }), draft.add(conditions) else {
                note(.lost, "a script is not converted", units.first { $0.conditions == nil }?.name, at: place)
                continue
            }
            request.captures += units.flatMap(\.captures)
        }
        request.expect = draft.json
    }
}
