import Foundation
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliMocking
import ReqcliText
import RequestBuilding

/// Turns requests into calls with `{{name}}`, and environments into tables of variables.
struct TemplateWriter {
    let requests: ExportedRequests
    let source: ExportSource
    let dialect: TemplateDialect
    let baseName: String
    let sheets: VariableSheets
    var names: VariableNames
    private let wholeMaker: RequestMaker
    private let base: String?
    var notes: [ConversionNote] = []

    init(_ requests: ExportedRequests, _ dialect: TemplateDialect) {
        self.requests = requests
        self.dialect = dialect
        source = requests.source
        wholeMaker = RequestMaker(source, .whole)
        sheets = VariableSheets(source, dialect)
        names = VariableNames(source, headers: sheets.headerNames, requests.abilities)
        baseName = VariableNames.base(source)
        base = requests.maker.base()?.url
    }

    /// The requests, each after the requests that it needs.
    var entries: [(id: String, request: OpenRequest)] { requests.withNeeds(of: requests.all) }

    /// All notes, once the requests are written.
    var allNotes: [ConversionNote] { notes + names.notes }

    // MARK: Requests

    /// - Parameter writesUnsent: Whether the format writes query items that aren't sent.
    mutating func call(_ request: OpenRequest, writesUnsent: Bool = false) -> TemplateCall {
        var credentials = request.credentials
        if requests.abilities.features.contains(.oauthClient), let client = request.request.tokenClient,
            case .endpoints = client.server, client.flow != .deviceCode
        {
            credentials = .oauth2(client)
        }
        let address = address(of: request)
        let query = items(request.queryItems, request)
        let (unsent, unsentParameters) = writesUnsent ? unsentItems(of: request) : ([], [])
        let headers = headers(of: request, credentials)
        let call = TemplateCall(
            request: request, method: request.method, address: address, query: query, unsent: unsent,
            headers: headers.filter { !$0.isContentType }, contentType: headers.first(where: \.isContentType),
            credentials: credentials.map { text($0, .header, request) },
            body: body(of: request))
        noteFixedValues(request, except: unsentParameters)
        return call
    }

    /// Adds notes about params that can't be variables, and about params that aren't sent because they have no value.
    private mutating func noteFixedValues(_ request: OpenRequest, except unsent: Set<String>) {
        let switched = request.endpoint.switchParameters(in: request.environment)
        for parameter in request.endpoint.parameters {
            let value = parameter.value
            if request.values[parameter.name] == nil, !value.isRequired {
                if unsent.contains(parameter.name) { continue }
                notes.append(
                    request.note(
                        .lost, "params without a value are not converted", part: parameter.name,
                        at: parameter.namePlace))
            } else if request.values[parameter.name] != nil,
                value.kind == .list || value.kind == .file || switched.contains(parameter.name)
            {
                notes.append(
                    request.note(
                        .approximated,
                        "a param that is a list, a file or the subject of a $switch always has its example value",
                        part: parameter.name, at: parameter.namePlace))
            }
        }
    }

    // MARK: Address and headers

    private mutating func address(of request: OpenRequest) -> String {
        let url = request.url.prefix { $0 != "#" }
        let raw = String(url.prefix { $0 != "?" })
        var address: String
        if let base, raw == base || raw.hasPrefix(base + "/") {
            address = "{{\(baseName)}}" + text(String(raw.dropFirst(base.count)), .url, request)
        } else {
            let origin = raw.origin
            address =
                text(String(origin), .server, request) + text(String(raw[origin.endIndex...]), .url, request)
        }
        return address.isEmpty ? "/" : address
    }

    private mutating func items(_ items: [TemplateCall.Item], _ request: OpenRequest) -> [TemplateCall.Item] {
        items.map { item in
            TemplateCall.Item(
                name: text(item.name, .url, request), value: text(item.value, .url, request), isBare: item.isBare)
        }
    }

    /// The query items of optional params that have no value, and the names of these params.
    private mutating func unsentItems(of request: OpenRequest) -> ([TemplateCall.Item], parameters: Set<String>) {
        guard let whole = try? wholeMaker.request(request.endpoint) else { return ([], []) }
        let sent = Set(request.queryItems.map(\.name))
        let unsent = whole.queryItems.filter { !sent.contains($0.name) }
        let parameters = unsent.flatMap { StandIn.pieces(of: $0.value) }.compactMap { piece -> String? in
            if case .parameter(let name)? = piece.value { name } else { nil }
        }
        return (items(unsent, request), Set(parameters))
    }

    private mutating func headers(
        of request: OpenRequest, _ credentials: TemplateCall.Credentials
    ) -> [TemplateCall.Item] {
        let builtIn = request.assembled.partsLeftToDefault
        var carried: Set<String> = []
        switch credentials {
        case .bearer, .basic, .oauth2: carried.insert("authorization")
        case .key(false, let name, _): carried.insert(name.lowercased())
        case .none, .digest, .key, .aws: break
        }
        return request.headers.compactMap { header in
            let key = header.name.lowercased()
            if carried.contains(key) { return nil }
            if key == "content-type" {
                if isImplied(contentType: header.value, by: request) { return nil }
            } else if builtIn.contains(.header(header.name)) {
                return nil
            }
            let variable = sheets.variable(forHeader: header.name, header.value)
            return TemplateCall.Item(
                name: text(header.name, .header, request),
                value: variable.map { "{{\($0)}}" } ?? text(header.value, .header, request))
        }
    }

    private func isImplied(contentType: String, by request: OpenRequest) -> Bool {
        if request.parts != nil { return true }
        guard dialect.impliesContentType else { return false }
        switch request.endpoint.body(in: request.environment.name)?.content {
        case .json, .graphQL: return contentType.lowercased() == "application/json"
        case .form: return contentType.lowercased() == "application/x-www-form-urlencoded"
        default: return false
        }
    }

    // MARK: Bodies

    private mutating func body(of request: OpenRequest) -> TemplateCall.Body {
        guard let body = request.request.body else { return .none }
        if let parts = request.parts {
            return .multipart(
                parts.map { part in
                    OpenPart(
                        name: text(part.name, .text, request), text: part.text.map { text($0, .text, request) },
                        file: part.file.map { shown($0, request) },
                        fileName: part.fileName.map { text($0, .text, request) }, contentType: part.contentType)
                })
        }
        switch body {
        case .file(let path): return .file(shown(path, request))
        case .multipart: return .none
        case .data(let data):
            guard let raw = request.bodyText else { return .bytes(Array(data)) }
            let definition = request.endpoint.body(in: request.environment.name)
            if definition?.isGraphQL == true, case .object(let members)? = request.bodyJSON {
                let document = members.first { $0.name == "query" }?.value.plainText ?? ""
                let variables = members.first { $0.name == "variables" }?.value
                return .graphQL(
                    query: text(document, .text, request), variables: variables.map { json($0, request) },
                    whole: json(.object(members), request))
            }
            if let value = request.bodyJSON { return .json(json(value, request)) }
            if case .form? = definition?.content {
                return .form(
                    IncomingRequest.fields(raw).map { field in
                        TemplateCall.Item(
                            name: text(field.name, .text, request), value: text(field.value, .text, request))
                    })
            }
            return .text(text(raw, .text, request))
        }
    }

    /// Adds notes about everything in the parts of a body that a format can't express.
    mutating func noteParts(of request: OpenRequest, typesOfTexts: Bool) {
        for part in request.parts ?? [] {
            if let name = part.fileName, name[...] != part.file?.split(separator: "/").last {
                notes.append(request.note(.lost, "the name of a file in a part is not converted", part: part.name))
            }
            if part.text != nil, part.contentType != nil, !typesOfTexts {
                notes.append(request.note(.lost, "the type of a part that is text is not converted", part: part.name))
            }
        }
    }

    /// Adds notes about the needs of a request for a tool that doesn't send them by itself.
    mutating func noteNeeds(of request: OpenRequest) {
        for need in request.needs {
            notes.append(
                ConversionNote(
                    .approximated,
                    "the tool doesn't send the requests that a request needs: send the needed request first",
                    "\(request.endpoint.id) needs \(need.request.endpoint.id)", at: need.place))
        }
    }

    /// A path, relative to the folder of the exported file.
    private mutating func shown(_ path: String, _ request: OpenRequest) -> String {
        if let value = StandIn.onlyValue(of: path) { return "{{\(names.name(of: value, in: request))}}" }
        let shown = FilePath.shown(
            FilePath.tidy(FilePath.join(source.workspace.currentFolder, path)),
            from: source.options.folder ?? source.workspace.root)
        return StandIn.replacing(in: shown) { "{{\(names.name(of: $0, in: request))}}" }
    }
}
