import Assembly
import CommandLineKit
import Definitions
import Foundation
import RequestBuilding
import SourceText

/// Turns requests into calls with `{{name}}`, and environments into tables of variables.
struct TemplateWriter {
    let source: ExportSource
    let dialect: TemplateDialect
    let maker: RequestMaker
    let baseName: String
    var names: VariableNames
    private let wholeMaker: RequestMaker
    private let base: String?
    /// Headers of the environment whose values differ between environments, by their names in lower case.
    private let differing: [String: String]
    private let sheets: [[(name: String, value: String?)]]
    private(set) var notes: [ExportNote] = []

    init(_ source: ExportSource, _ dialect: TemplateDialect) {
        self.source = source
        self.dialect = dialect
        maker = RequestMaker(source, .open)
        wholeMaker = RequestMaker(source, .whole)
        names = VariableNames(source)
        baseName = VariableNames.base(source)
        base = maker.base()?.url
        let bases = source.environments.map { RequestMaker(source, in: $0, .filled).base() }
        var differing: [String: String] = [:]
        for header in bases.first.flatMap({ $0 })?.headers ?? []
        where !["authorization", "user-agent"].contains(header.name.lowercased()) {
            let values = Set(
                bases.map { $0?.headers.first { $0.name.lowercased() == header.name.lowercased() }?.value })
            let isOpen = values.contains { $0.map { OrderedJSON.string($0).hasOpenValues } ?? true }
            if values.count > 1, !isOpen { differing[header.name.lowercased()] = header.name }
        }
        self.differing = differing
        sheets = zip(source.environments, bases).map { chain, base in
            Self.sheet(chain, base, baseName: VariableNames.base(source), differing)
        }
    }

    /// The variables of each environment; secrets have no value.
    var environments: [(chain: EnvironmentChain, variables: [(name: String, value: String?)])] {
        Array(zip(source.environments, sheets)).map { ($0, $1) }
    }

    private static func sheet(
        _ chain: EnvironmentChain, _ base: (url: String, headers: [(name: String, value: String)])?, baseName: String,
        _ differing: [String: String]
    ) -> [(name: String, value: String?)] {
        let url = base.map { base in
            OrderedJSON.string(base.url).filling { .string("{{\($0.name)}}") }.plainText
        }
        var variables: [(String, String?)] = [(baseName, url ?? "")]
        for (key, name) in differing.sorted(by: { $0.key < $1.key }) {
            variables.append((name, base?.headers.first { $0.name.lowercased() == key }?.value ?? ""))
        }
        for variable in chain.variables {
            guard let literal = variable.value.value.value?.literal else { continue }
            variables.append((variable.name, literal.plainText))
        }
        return variables + chain.secrets.map { ($0.name, nil) }
    }

    // MARK: Calls

    /// The requests of all endpoints; those of which none can be made are noted.
    mutating func requests() -> [OpenRequest] {
        source.endpoints.compactMap { endpoint in
            do throws(Failure) { return try maker.request(endpoint) } catch {
                notes.append(.unmade(endpoint, error))
                return nil
            }
        }
    }

    mutating func call(_ request: OpenRequest) -> TemplateCall {
        let credentials = credentials(of: request)
        let (address, query) = address(of: request, credentials)
        return TemplateCall(
            request: request, method: request.method, address: address, query: query,
            headers: headers(of: request, credentials), credentials: credentials.map { text($0, .header, request) },
            body: body(of: request))
    }

    private mutating func address(
        of request: OpenRequest, _ credentials: TemplateCall.Credentials
    ) -> (String, [TemplateCall.Item]) {
        let url = request.url.prefix { $0 != "#" }
        let raw = String(url.prefix { $0 != "?" })
        var address: String
        if let base, raw == base || raw.hasPrefix(base + "/") {
            address = "{{\(baseName)}}" + text(String(raw.dropFirst(base.count)), .url, request)
        } else {
            address = text(raw, .url, request)
        }
        if address.isEmpty { address = "/" }
        var items = Self.items(of: url.dropFirst(raw.count + 1))
        let sent = Set(items.map(\.name))
        if let whole = try? wholeMaker.request(request.endpoint) {
            let all = Self.items(of: whole.url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst())
            for item in all where !sent.contains(item.name) {
                items.append(TemplateCall.Item(name: item.name, value: item.value, isDisabled: true))
            }
        }
        if case .key(true, let name, _) = credentials {
            items.removeAll { PercentEncoding.decoded($0.name) == name }
        }
        let query = items.map { item in
            var item = TemplateCall.Item(
                name: text(item.name, .url, request), value: text(item.value, .url, request),
                isDisabled: item.isDisabled, isBare: item.isBare)
            if item.isDisabled, item.value.isEmpty { item.isBare = false }
            return item
        }
        return (address, query)
    }

    private static func items(of query: Substring) -> [TemplateCall.Item] {
        query.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return TemplateCall.Item(
                name: parts[0], value: parts.count > 1 ? parts[1] : "", isBare: parts.count == 1)
        }
    }

    private mutating func headers(
        of request: OpenRequest, _ credentials: TemplateCall.Credentials
    ) -> [TemplateCall.Item] {
        let builtIn = request.assembled.partsLeftToDefault
        var carried: Set<String> = []
        switch credentials {
        case .bearer, .basic: carried.insert("authorization")
        case .key(false, let name, _): carried.insert(name.lowercased())
        case .none, .digest, .key: break
        }
        let isMultipart = if case .multipart? = request.request.body { true } else { false }
        return request.headers.compactMap { header in
            let key = header.name.lowercased()
            if carried.contains(key) || builtIn.contains(.header(header.name)) { return nil }
            if key == "content-type", isMultipart { return nil }
            let value = text(header.value, .header, request)
            let common = sheets.first?.first { $0.name == differing[key] }?.value
            let isCommon = common.map { $0 == header.value } ?? false
            return TemplateCall.Item(
                name: text(header.name, .header, request),
                value: isCommon ? "{{\(differing[key] ?? "")}}" : value)
        }
    }

    private func credentials(of request: OpenRequest) -> TemplateCall.Credentials {
        let header = request.request.headers["Authorization"]
        switch request.endpoint.auth(in: request.environment) {
        case .bearer:
            if let header, header.hasPrefix("Bearer ") { return .bearer(String(header.dropFirst(7))) }
        case .basic:
            if let header, header.hasPrefix("Basic "), let data = Data(base64Encoded: String(header.dropFirst(6))),
                let account = String(validating: data, as: UTF8.self), let colon = account.firstIndex(of: ":")
            {
                return .basic(
                    user: String(account[..<colon]), password: String(account[account.index(after: colon)...]))
            }
        case .digest, .any:
            if let account = request.request.transfer.challengeAccount {
                return .digest(user: account.user, password: account.password)
            }
        case .apiKey(.header, let name, _):
            if let value = request.request.headers[name.value] {
                return .key(inQuery: false, name: name.value, value: value)
            }
        case .apiKey(.query, let name, _):
            let items = Self.items(of: request.url.drop { $0 != "?" }.dropFirst())
            if let item = items.first(where: { PercentEncoding.decoded($0.name) == name.value }) {
                return .key(inQuery: true, name: name.value, value: PercentEncoding.decoded(item.value))
            }
        case nil: break
        }
        return .none
    }

    // MARK: Bodies

    private mutating func body(of request: OpenRequest) -> TemplateCall.Body {
        guard let body = request.request.body else { return .none }
        switch body {
        case .file(let path): return .file(shown(path, request))
        case .multipart(let multipart):
            return .multipart(
                multipart.parts.map { part in
                    var value: String?
                    var file: String?
                    switch part.content {
                    case .data(let data): value = text(String(decoding: data, as: UTF8.self), .text, request)
                    case .file(let path): file = shown(path, request)
                    }
                    return TemplateCall.Part(
                        name: text(part.name, .text, request), value: value, file: file,
                        fileName: part.filename.map { text($0, .text, request) },
                        contentType: part.contentType)
                })
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
                    PercentFormFields.read(raw).map { field in
                        TemplateCall.Item(
                            name: text(field.name, .text, request), value: text(field.value ?? "", .text, request))
                    })
            }
            return .text(text(raw, .text, request))
        }
    }

    /// A path as seen from the workspace's folder.
    private mutating func shown(_ path: String, _ request: OpenRequest) -> String {
        let shown = FilePath.shown(
            FilePath.tidy(FilePath.join(source.workspace.currentFolder, path)), from: source.workspace.root)
        return StandIn.pieces(of: shown).map { piece in
            switch piece {
            case .literal(let text): text
            case .open(let value): "{{\(names.name(of: value, in: request))}}"
            }
        }.joined()
    }

    // MARK: Texts

    /// A text with placeholders for what is open. A value that the place would have to encode is written out instead.
    mutating func text(_ raw: String, _ place: TemplateDialect.Place, _ request: OpenRequest) -> String {
        var result = ""
        for piece in StandIn.pieces(of: raw) {
            switch piece {
            case .literal(let text): result += dialect.literal(text, place)
            case .open(let value): result += placeholder(value, place, request)
            }
        }
        return result
    }

    mutating func placeholder(
        _ value: OpenValue, _ place: TemplateDialect.Place, _ request: OpenRequest
    ) -> String {
        if case .generated(let generated) = value, let text = dialect.generated(generated) { return "{{\(text)}}" }
        if let sample = request.sample(value)?.plainText {
            let encoded =
                switch place {
                case .url: PercentEncoding.queryComponent(sample)
                case .json: String(OrderedJSON.string(sample).compact.dropFirst().dropLast())
                case .header, .text: sample
                }
            if encoded != sample { return dialect.literal(encoded, place) }
        }
        return "{{\(names.name(of: value, in: request))}}"
    }

    /// JSON on several lines in which a number or a JSON value is a placeholder without quotes.
    mutating func json(_ value: OrderedJSON, _ request: OpenRequest, indent: Int = 0) -> String {
        let inner = String(repeating: "  ", count: indent + 1)
        let outer = String(repeating: "  ", count: indent)
        switch value {
        case .null, .bool: return value.compact
        case .number(let text):
            return StandIn.onlyValue(of: text).map { placeholder($0, .text, request) } ?? text
        case .string(let text):
            if let open = StandIn.onlyValue(of: text), !request.isText(open) {
                return placeholder(open, .text, request)
            }
            return "\"" + jsonText(text, request) + "\""
        case .array(let elements):
            if elements.isEmpty { return "[]" }
            return "[\n" + elements.map { inner + json($0, request, indent: indent + 1) }.joined(separator: ",\n")
                + "\n\(outer)]"
        case .object(let members):
            if members.isEmpty { return "{}" }
            return "{\n"
                + members.map {
                    "\(inner)\"\(jsonText($0.name, request))\": \(json($0.value, request, indent: indent + 1))"
                }.joined(separator: ",\n") + "\n\(outer)}"
        }
    }

    private mutating func jsonText(_ raw: String, _ request: OpenRequest) -> String {
        var result = ""
        for piece in StandIn.pieces(of: raw) {
            switch piece {
            case .literal(let text):
                let escaped = String(OrderedJSON.string(text).compact.dropFirst().dropLast())
                result += escaped.replacing("{{", with: "\\u007b\\u007b")
            case .open(let value): result += placeholder(value, .json, request)
            }
        }
        return result
    }
}

extension TemplateCall.Credentials {
    func map(_ text: (String) -> String) -> TemplateCall.Credentials {
        switch self {
        case .none: .none
        case .bearer(let token): .bearer(text(token))
        case .basic(let user, let password): .basic(user: text(user), password: text(password))
        case .digest(let user, let password): .digest(user: text(user), password: text(password))
        case .key(let inQuery, let name, let value): .key(inQuery: inQuery, name: name, value: text(value))
        }
    }
}
