import ASCII
import Assembly
import CommandLineKit
import Definitions
import Redaction
import RequestBuilding
import SourceText

/// A typed request as the definition of an endpoint, in which each value that was typed with a name is a param.
struct TypedDefinition {
    /// The values that the definition doesn't hold: those of secrets and of files.
    private(set) var arguments: [ParameterArgument] = []
    /// Flags that are no part of an endpoint.
    private(set) var omittedFlags: [String] = []
    private var method = "GET"
    private var path = "/"
    private var parameters: [OrderedJSON.Member] = []
    private var query: [Item] = []
    private var headers: [OrderedJSON.Member] = []
    private var settings: [OrderedJSON.Member] = []
    private var body: OrderedJSON?

    private struct Item {
        let name: String
        let value: String
        /// The item as the URL has it, if a file can't hold it as a name and a value.
        var encoded: String?
    }

    /// - Parameters:
    ///   - overrides: The words and flags of the request.
    ///   - contentType: The Content-Type that it has.
    ///   - pathFromRoot: A path of the current folder as the workspace's files write it.
    init(
        _ overrides: [CommandLineOverride], contentType: String?, pathFromRoot: (String) -> String
    ) throws(Failure) {
        for override in overrides {
            if try addMessage(override.change) { continue }
            try addBody(override.change, contentType, pathFromRoot)
            addSetting(override)
        }
    }

    /// The endpoint as its file holds it.
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

    /// - Returns: False for a change of something else.
    private mutating func addMessage(_ change: CommandLineOverride.Change) throws(Failure) -> Bool {
        switch change {
        case .method(let method): self.method = method
        case .baseURL: break
        case .path(let path):
            self.path = TextTemplate.escaped(inURL: path)
            if let secret = SecretInURL(path: path, query: []) { throw Self.refuse(secret) }
        case .addedQuery(let encoded, let items):
            if let encoded {
                query += Self.items(of: encoded)
                let named = query.map { (name: $0.name, value: $0.value) }
                if let secret = SecretInURL(path: "", query: named) { throw Self.refuse(secret) }
            }
            query += items.map { Item(name: $0.name, value: $0.value) }
        case .query(let name, let values):
            let index = query.firstIndex { $0.name == name } ?? query.endIndex
            query.removeAll { $0.name == name }
            query.insert(contentsOf: values.map { Item(name: name, value: $0) }, at: min(index, query.endIndex))
        case .removedHeader(let name): headers.append(OrderedJSON.Member(name, .null))
        case .header(let name, let values):
            if LikelySecret.isHeader(name) || values.contains(where: { LikelySecret.isIn($0) }) {
                throw Failure(
                    unsaved: "the header \(name) carries a credential",
                    hint: "name a secret: set \"auth\" in the file of the environment, and leave the header out")
            }
            headers.append(OrderedJSON.Member(name, Self.oneOrMore(values.map(Self.literal))))
        default: return false
        }
        return true
    }

    private static func refuse(_ secret: SecretInURL) -> Failure {
        Failure(
            unsaved: "\(secret.description) of the URL looks like a secret",
            hint: "write it behind the URL as NAME==VALUE, which makes it a secret param, or use \"auth\"")
    }

    /// The items of a URL's query.
    private static func items(of encoded: String) -> [Item] {
        let text = PercentEncoding.normalized(PercentEncoding.query(encoded[...]))
        return text.split(separator: "&", omittingEmptySubsequences: false).map { item in
            let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let texts = sides.map { PercentEncoding.decoded($0) }
            let isSame = zip(sides, texts).allSatisfy { $0 == PercentEncoding.queryComponent($1) }
            if texts.count == 2, !texts[0].isEmpty, isSame { return Item(name: texts[0], value: texts[1]) }
            let words = texts.map { $0.replacing("+", with: " ") }
            return Item(name: words.first ?? "", value: words.dropFirst().first ?? "", encoded: String(item))
        }
    }

    /// The query as an object of names and values, or as text if that is the only way to send the same bytes.
    private mutating func queryMember() -> OrderedJSON? {
        if query.isEmpty { return nil }
        // An object holds the items of one name together.
        let runs = zip(query, query.dropFirst()).count { $0.name != $1.name } + 1
        guard query.contains(where: { $0.encoded != nil }) || Set(query.map(\.name)).count < runs else {
            return .object(Self.grouped(query.map { ($0.name, slot($0.name, Self.typed($0.value))) }))
        }
        let texts = query.map { item in
            item.encoded ?? "\(PercentEncoding.queryComponent(item.name))=\(encodedSlot(item))"
        }
        let text = texts.joined(separator: "&")
        return text.isEmpty ? nil : .string(text)
    }

    private mutating func encodedSlot(_ item: Item) -> String {
        let parameters = parameters.count
        let slot = ValueText.text(of: self.slot(item.name, Self.typed(item.value)))
        return self.parameters.count > parameters ? slot : PercentEncoding.queryComponent(item.value)
    }

    // MARK: Settings

    private mutating func addSetting(_ override: CommandLineOverride) {
        switch override.change {
        case .transfer(let change):
            guard let setting = Self.setting(change) else { return omittedFlags.append(override.flag) }
            add(setting)
        case .transferFile: omittedFlags.append(override.flag)
        default: break
        }
    }

    /// A second setting of the same object, such as `redirects`, joins the first one.
    private mutating func add(_ setting: OrderedJSON.Member) {
        guard let index = settings.firstIndex(where: { $0.name == setting.name }) else {
            return settings.append(setting)
        }
        settings[index] = OrderedJSON.Member(
            setting.name, .object(settings[index].value.members + setting.value.members))
    }

    /// The key of a file for a setting. The others belong to one machine or one call.
    private static func setting(_ change: TransferChange) -> OrderedJSON.Member? {
        guard let value = change.value else { return nil }
        switch change.name {
        case TransferSetting.totalTimeout.name: return OrderedJSON.Member("timeout", .string(value))
        case TransferSetting.followsRedirects.name:
            return OrderedJSON.Member("redirects", .object(["follow": .bool(value == "true")]))
        case TransferSetting.maximumRedirects.name:
            return OrderedJSON.Member("redirects", .object(["max": .number(value)]))
        case TransferSetting.retryTimes.name:
            return OrderedJSON.Member("retry", .object(["times": .number(value)]))
        case TransferSetting.httpVersion.name: return OrderedJSON.Member("httpVersion", .string(value))
        default: return nil
        }
    }

    // MARK: Body

    private mutating func addBody(
        _ change: CommandLineOverride.Change, _ contentType: String?, _ pathFromRoot: (String) -> String
    ) throws(Failure) {
        switch change {
        case .members(let typed): try addMembers(typed)
        case .body(let text): try addText(text, contentType)
        case .bodyFile("-"), .spooledInput: throw Self.standardInput
        case .bodyFile(let path): body = .object(["file": Self.literal(pathFromRoot(path))])
        default: break
        }
    }

    private static let standardInput = Failure(
        unsaved: "a file cannot hold what comes from standard input", hint: "put it into a file, and name that")

    private mutating func addText(_ text: String, _ contentType: String?) throws(Failure) {
        let document = JSONDocument.read(SourceFile(name: "--body", text: text))
        let json = document.problems.isEmpty ? document.root.map { OrderedJSON($0) } : nil
        let names = text.split(separator: "&").compactMap { $0.split(separator: "=").first.map(String.init) }
        if LikelySecret.isIn(text) || json.map({ LikelySecret.isIn($0) }) ?? names.contains(where: LikelySecret.isName)
        {
            throw Failure(
                unsaved: "--body holds what looks like a secret",
                hint: "write its members as NAME=TEXT: a secret becomes a param")
        }
        if let json, json.compact == text, contentType == "application/json" {
            body = .object(["json": Self.literal(json)])
            return
        }
        body = .object(["text": Self.literal(text)])
        // A Content-Type of the user's own comes as a header.
        if contentType == "application/json" { headers.append(OrderedJSON.Member("Content-Type", "application/json")) }
    }

    private mutating func addMembers(_ typed: TypedBody) throws(Failure) {
        var slots: [(name: String, value: OrderedJSON)] = []
        for member in typed.distinctMembers {
            let slot: OrderedJSON
            switch member.value {
            case .text(let text): slot = self.slot(member.name, .string(text))
            case .json(let value): slot = self.slot(member.name, typed.isForm ? Self.scalar(value) : value)
            case .textOfFile("-"): throw Self.standardInput
            case .textOfFile(let path): slot = addParameter(member.name, "string", from: .file(path))
            case .upload(let path):
                slot = .object(["file": addParameter(member.name, "file", from: .text(path))])
            }
            slots.append((member.name, slot))
        }
        let members = Self.grouped(slots)
        let kind = typed.isForm ? typed.isMultipart ? "multipart" : "form" : "json"
        body = .object([OrderedJSON.Member(kind, .object(members))])
    }

    /// A value as a form sends it: a list or an object is text there.
    private static func scalar(_ value: OrderedJSON) -> OrderedJSON {
        switch value {
        case .string, .number, .bool: value
        case .null, .array, .object: .string(ValueText.text(of: value))
        }
    }

    // MARK: Params

    /// The placeholder that replaces a value. Its param has the value as its default, or no default if the value is a secret.
    private mutating func slot(_ name: String, _ value: OrderedJSON) -> OrderedJSON {
        if LikelySecret.isName(name) || LikelySecret.isIn(value) {
            return addParameter(name, Self.kind(of: value), from: .text(ValueText.text(of: value)))
        }
        // A default has no placeholders, and no escape for what looks like one.
        if TextTemplate.escaped(value.compact) != value.compact { return Self.literal(value) }
        return addParameter(name, Self.kind(of: value), default: value)
    }

    private mutating func addParameter(
        _ name: String, _ kind: String, default value: OrderedJSON? = nil, from source: ParameterArgument.Source? = nil
    ) -> OrderedJSON {
        let clean = unusedName(for: name)
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

    /// The name as a param can have it, which no other param has.
    private func unusedName(for name: String) -> String {
        let words = name.utf8.split { !($0.isAlphanumeric || "_-".utf8.contains($0)) }
        let clean = words.isEmpty ? "value" : words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "_")
        let taken = Set(parameters.map(\.name))
        if !taken.contains(clean) { return clean }
        return (2...).lazy.map { "\(clean)-\($0)" }.first { !taken.contains($0) } ?? clean
    }

    private static func kind(of value: OrderedJSON) -> String {
        switch value {
        case .string: "string"
        case .number(let text): isPlainInteger(text) ? "integer" : "number"
        case .bool: "boolean"
        case .null, .array, .object: "json"
        }
    }

    /// The value of a query item with the type that its text has.
    private static func typed(_ text: String) -> OrderedJSON {
        if isPlainInteger(text) { return .number(text) }
        return text == "true" || text == "false" ? .bool(text == "true") : .string(text)
    }

    /// Whether a text is a whole number of at most 15 digits in its usual form, which it keeps as a param.
    private static func isPlainInteger(_ text: String) -> Bool {
        guard let number = Int(text), text.utf8.count <= 15 else { return false }
        return String(number) == text
    }

    // MARK: JSON

    /// Values of one name together, in the place of the first.
    private static func grouped(_ items: [(name: String, value: OrderedJSON)]) -> [OrderedJSON.Member] {
        var order: [String] = []
        var values: [String: [OrderedJSON]] = [:]
        for (name, value) in items {
            if values[name] == nil { order.append(name) }
            values[name, default: []].append(value)
        }
        return order.map { OrderedJSON.Member(TextTemplate.escaped($0), oneOrMore(values[$0] ?? [])) }
    }

    private static func oneOrMore(_ values: [OrderedJSON]) -> OrderedJSON {
        values.count == 1 ? values[0] : .array(values)
    }

    private static func literal(_ text: String) -> OrderedJSON { .string(TextTemplate.escaped(text)) }

    /// A value without placeholders, as a file writes it.
    private static func literal(_ value: OrderedJSON) -> OrderedJSON {
        switch value {
        case .string(let text): literal(text)
        case .array(let elements): .array(elements.map { literal($0) })
        case .object(let members):
            .object(members.map { OrderedJSON.Member(TextTemplate.escaped($0.name), literal($0.value)) })
        case .null, .bool, .number: value
        }
    }
}

extension Failure {
    /// A request that no endpoint file can hold as it is.
    init(unsaved reason: String, hint: String?) {
        self.init(.usage, code: .endpointUnsaved, "--save: \(reason)", hint: hint)
    }
}

extension Diagnostic.Code {
    static let endpointUnsaved: Self = "endpoint.unsaved"
}
