import CommandLineKit
import Importing
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// Converts a typed request to the definition of an endpoint. Each value that was typed with a name becomes a param.
struct TypedDefinition {
    /// The values that are not in the definition: values of secrets and paths of files.
    private(set) var arguments: [ParameterArgument] = []
    /// Flags that are not part of an endpoint.
    private(set) var omittedFlags: [String] = []
    /// Whether a header of the command line sets the Content-Type.
    private let hasTypedType: Bool
    private var method = "GET"
    private var path = "/"
    private var parameters: [OrderedJSON.Member] = []
    private var names = ParamNames()
    private var query: [QueryItem] = []
    private var headers: [OrderedJSON.Member] = []
    private var settings: [OrderedJSON.Member] = []
    private var body: OrderedJSON?

    /// Converts a typed request.
    ///
    /// - Parameters:
    ///   - overrides: The words and flags of the request.
    ///   - contentType: The Content-Type of the request.
    ///   - pathFromRoot: Converts a path from the current folder to the form that the workspace's files use.
    init(
        _ overrides: [CommandLineOverride], contentType: String?, pathFromRoot: (String) -> String
    ) throws(Failure) {
        hasTypedType = overrides.contains { override in
            guard case .header(let name, _) = override.change else { return false }
            return name.lowercased() == "content-type"
        }
        for override in overrides {
            if try addMessage(override.change) { continue }
            try addBody(override.change, contentType, pathFromRoot)
            try addSetting(override)
        }
    }

    /// The endpoint as it is written to its file.
    func json() -> (definition: OrderedJSON, arguments: [ParameterArgument]) {
        var made = self
        let query = made.queryMember()
        let members: [(String, OrderedJSON?)] = [
            ("method", method == "GET" ? nil : .string(method)), ("path", .string(path)),
            ("params", made.parameters.isEmpty ? nil : .object(made.parameters)),
            ("query", query), ("headers", headers.isEmpty ? nil : .object(headers)),
        ]
        let all = members.compactMap { name, value in value.map { OrderedJSON.Member(name, $0) } } + settings
        return (.object(all + (body.map { [OrderedJSON.Member("body", $0)] } ?? [])), made.arguments)
    }

    // MARK: Method, URL and headers

    /// Adds a change of the method, the URL or the headers.
    ///
    /// - Returns: False if the change is not about the method, the URL or the headers.
    private mutating func addMessage(_ change: CommandLineOverride.Change) throws(Failure) -> Bool {
        switch change {
        case .method(let method): self.method = method
        case .baseURL: break
        case .path(let path):
            self.path = TextTemplate.escaped(inURL: path)
            if let secret = SecretInURL(path: path, query: []) { throw Self.refuse(secret) }
        case .addedQuery(let encoded, let items):
            if let encoded {
                // A typed "?" without a query is an empty item. It is sent, and further items follow it after an "&".
                query +=
                    encoded.isEmpty
                    ? [QueryItem("", TemplateText([]), encoded: TemplateText([]))]
                    : QueryItem.items(of: TemplateText(literal: encoded), .bytes)
                let named = query.map { (name: $0.name, value: $0.literal) }
                if let secret = SecretInURL(path: "", query: named) { throw Self.refuse(secret) }
            }
            query += items.map { QueryItem($0.name, TemplateText(literal: $0.value)) }
        case .query(let name, let values):
            let index = query.firstIndex { $0.name == name } ?? query.endIndex
            query.removeAll { $0.name == name }
            query.insert(
                contentsOf: values.map { QueryItem(name, TemplateText(literal: $0)) }, at: min(index, query.endIndex))
        case .removedHeader(let name): headers.append(OrderedJSON.Member(name, .null))
        case .header(let name, let values):
            if LikelySecret.isHeader(name) || values.contains(where: { LikelySecret.isIn($0) }) {
                throw Failure(
                    unsaved: "the header \(name) carries a credential",
                    hint: "set \"auth\" with a secret in the file of the environment, and leave the header out")
            }
            headers.append(OrderedJSON.Member(name, .oneOrMore(values.map(OrderedJSON.literal))))
        default: return false
        }
        return true
    }

    private static func refuse(_ secret: SecretInURL) -> Failure {
        Failure(
            unsaved: "\(secret.description) of the URL looks like a secret",
            hint: "write it after the URL as NAME==VALUE, which makes it a secret param, or use \"auth\"")
    }

    /// The query as an object of names and values, or as a string if only a string can produce the same bytes.
    private mutating func queryMember() -> OrderedJSON? {
        if query.isEmpty { return nil }
        if query.areSayable {
            return .object(.grouped(query.map { ($0.name, slot($0.name, .typed($0.literal))) }))
        }
        let texts = query.map { item in
            item.encoded?.text ?? "\(PercentEncoding.queryComponent(item.name))=\(encodedSlot(item))"
        }
        let text = texts.joined(separator: "&")
        return text.isEmpty ? nil : .string(text)
    }

    private mutating func encodedSlot(_ item: QueryItem) -> String {
        let parameters = parameters.count
        let slot = ValueText.text(of: self.slot(item.name, .typed(item.literal)))
        return self.parameters.count > parameters ? slot : PercentEncoding.queryComponent(item.literal)
    }

    // MARK: Settings

    private mutating func addSetting(_ override: CommandLineOverride) throws(Failure) {
        switch override.change {
        case .transfer(let change):
            guard let setting = Self.setting(change) else { return omittedFlags.append(override.flag) }
            add(setting)
        case .transferFile: omittedFlags.append(override.flag)
        case .credentials(let given):
            guard !given.secret.value.isEmpty, given.secretUser == nil else {
                throw Failure(
                    unsaved: "--auth has no password, or a secret as its user",
                    hint: "leave it out, and set \"auth\" in the file of the environment")
            }
            let secret = addParameter(given.secret.name, "string", from: .text(given.secret.value))
            add(OrderedJSON.Member("auth", given.auth(secret)))
        default: break
        }
    }

    /// Adds a setting. If an object such as `redirects` already has a setting, the new setting is added to the same object.
    private mutating func add(_ setting: OrderedJSON.Member) {
        guard let index = settings.firstIndex(where: { $0.name == setting.name }) else {
            return settings.append(setting)
        }
        settings[index] = OrderedJSON.Member(
            setting.name, .object(settings[index].value.members + setting.value.members))
    }

    /// The member of an endpoint's file for a setting; nil for settings that belong to one machine or one call.
    private static func setting(_ change: TransferChange) -> OrderedJSON.Member? {
        guard let row = TransferRow.named(change.name), row.isKept, let value = change.value else { return nil }
        return row.member(value)
    }

    // MARK: Body

    private mutating func addBody(
        _ change: CommandLineOverride.Change, _ contentType: String?, _ pathFromRoot: (String) -> String
    ) throws(Failure) {
        switch change {
        case .members(let typed): try addMembers(typed)
        case .body(let text): try addText(text, contentType)
        case .bodyFile("-"), .spooledInput, .pipedBody: throw Self.standardInput
        case .bodyFile(let path):
            body = .object(["file": .literal(pathFromRoot(path))])
            // A file of a definition has one type, whatever its name. A type that the user typed is added with the other headers.
            let type = String.bodyType(ofFileNamed: path)
            if !hasTypedType, contentType == type, type != "application/octet-stream" {
                headers.append(OrderedJSON.Member("Content-Type", .string(type)))
            }
        default: break
        }
    }

    private static let standardInput = Failure(
        unsaved: "an endpoint file cannot contain standard input", hint: "put the input into a file, and name that file"
    )

    private mutating func addText(_ text: String, _ contentType: String?) throws(Failure) {
        let json = JSONDocument.read(SourceFile(name: "--body", text: text)).validRoot.map { OrderedJSON($0) }
        let names = text.split(separator: "&").compactMap { $0.split(separator: "=").first.map(String.init) }
        if LikelySecret.isIn(text) || json.map({ LikelySecret.isIn($0) }) ?? names.contains(where: LikelySecret.isName)
        {
            throw Failure(
                unsaved: "--body contains what looks like a secret",
                hint: "write the members of the body as NAME=TEXT: a secret becomes a param")
        }
        if let json, json.compact == text, contentType == "application/json" {
            body = .object(["json": json.escapingBraces])
            return
        }
        body = .object(["text": .literal(text)])
        // A Content-Type that the user typed is added with the other headers.
        if contentType == "application/json" { headers.append(OrderedJSON.Member("Content-Type", "application/json")) }
    }

    private mutating func addMembers(_ typed: TypedBody) throws(Failure) {
        var slots: [(name: String, value: OrderedJSON)] = []
        for member in typed.distinctMembers {
            let slot: OrderedJSON
            switch member.value {
            case .text(let text): slot = self.slot(member.name, .string(text))
            case .json(let value): slot = self.slot(member.name, typed.isForm ? Self.scalar(value) : value)
            case .textOfFile("-"), .upload("-", _): throw Self.standardInput
            case .textOfFile(let path): slot = addParameter(member.name, "string", from: .file(path))
            case .upload(let path, let type):
                slot = .object([
                    "file": addParameter(member.name, "file", from: .text(path)),
                    "contentType": type.map { .string($0) },
                ])
            }
            slots.append((member.name, slot))
        }
        let kind = typed.isForm ? typed.isMultipart ? "multipart" : "form" : "json"
        let content = typed.isForm ? .object(.grouped(slots)) : TypedBody.json(slots)
        body = .object([OrderedJSON.Member(kind, content ?? .object([]))])
    }

    /// A value as a form sends it. A form sends a list or an object as text.
    private static func scalar(_ value: OrderedJSON) -> OrderedJSON {
        switch value {
        case .string, .number, .bool: value
        case .null, .array, .object: .string(ValueText.text(of: value))
        }
    }

    // MARK: Params

    /// The placeholder that replaces a value. Its param has the value as its default, or no default if the value is a secret.
    private mutating func slot(_ name: String, _ value: OrderedJSON) -> OrderedJSON {
        if LikelySecret.isIn(.object([OrderedJSON.Member(name, value)])) {
            return addParameter(name, value.parameterKind.rawValue, from: .text(ValueText.text(of: value)))
        }
        // A default can't have placeholders, and can't escape text that looks like a placeholder.
        if TextTemplate.escaped(value.compact) != value.compact { return value.escapingBraces }
        return addParameter(name, value.parameterKind.rawValue, default: value)
    }

    private mutating func addParameter(
        _ name: String, _ kind: String, default value: OrderedJSON? = nil, from source: ParameterArgument.Source? = nil
    ) -> OrderedJSON {
        let clean = names.take(name)
        var isSecret = LikelySecret.isName(name)
        if let source {
            arguments.append(ParameterArgument(name: clean, source: source))
            if case .text = source, kind != "file" { isSecret = true }
        }
        parameters.append(
            OrderedJSON.Member(
                clean, .object(["type": .string(kind), "default": value, "secret": isSecret ? true : nil])))
        return .string("{{\(clean)}}")
    }
}

extension CommandLineOverride.GivenCredentials {
    /// The credentials as a file has them, with a placeholder for the secret.
    fileprivate func auth(_ secret: OrderedJSON) -> OrderedJSON {
        func account(_ kind: String, _ user: String) -> OrderedJSON {
            .object([OrderedJSON.Member(kind, .object(["user": .literal(user), "password": secret]))])
        }
        return switch self {
        case .bearer: .object(["bearer": secret])
        case .basic(let given): account("basic", given.user)
        case .digest(let given): account("digest", given.user)
        }
    }
}

extension QueryItem {
    /// The value, if it has no placeholders; otherwise an empty string.
    fileprivate var literal: String { value.literal ?? "" }
}

extension Failure {
    /// The failure for a request that an endpoint file can't hold unchanged.
    init(unsaved reason: String, hint: String?) {
        self.init(.usage, code: .endpointUnsaved, "the request can't become an endpoint: \(reason)", hint: hint)
    }
}

extension Diagnostic.Code {
    static let endpointUnsaved: Self = "endpoint.unsaved"
}
