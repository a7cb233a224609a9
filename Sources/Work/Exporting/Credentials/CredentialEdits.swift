import ReqcliBasics
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// The changes of a file that replace credentials by placeholders.
///
/// The lines of the file stay the same, so that notes about other parts of the file have the right places.
struct CredentialEdits {
    private(set) var all: [TextEdit] = []
    /// The variables that took the place of credentials, each with the first place of its credential.
    private(set) var found: [(name: String, place: Place)] = []
    private(set) var variables: CredentialVariables
    private var known: Set<String> = []

    init(_ variables: CredentialVariables) { self.variables = variables }

    /// What is known about a string.
    private enum Role {
        /// A value at a place for credentials.
        case credential(String)
        /// The value of a header, a query item or a field of a form, which is sent as text.
        case field(String)
        /// The value of a variable or of a member of JSON.
        case named(String)
        case other
    }

    // MARK: Files

    mutating func addEnvironment(_ root: JSONValue) {
        addLayer(root)
        addMembers(of: root["variables"]) { .named($0) }
    }

    mutating func addEndpoints(_ root: JSONValue) {
        guard let endpoints = root["endpoints"], endpoints.kind == .object else { return addEndpoint(root) }
        if let defaults = root["defaults"] { addEndpoint(defaults) }
        for endpoint in endpoints.members { addEndpoint(endpoint.value) }
    }

    private mutating func addEndpoint(_ endpoint: JSONValue) {
        addRequest(endpoint)
        for overlay in endpoint["environments"]?.members.map(\.value) ?? [] { addRequest(overlay) }
        for need in endpoint["needs"]?.members.map(\.value) ?? [] { addMembers(of: need["with"]) { .named($0) } }
        for param in endpoint["params"].map({ Array($0.members) }) ?? [] { addParam(param) }
    }

    private mutating func addRequest(_ request: JSONValue) {
        addLayer(request)
        if let path = request["path"] { add(path, .other) }
        guard let body = request["body"] else { return }
        if let json = body["json"] { add(json, .other) }
        addMembers(of: body["form"]) { .field($0) }
        for part in body["multipart"].map({ Array($0.members) }) ?? [] { addPart(part.value, part.name) }
        if let text = body["text"] { add(text, .other) }
        for (key, value) in body["graphql"]?.members.map({ ($0.name, $0.value) }) ?? [] where key != "file" {
            add(value, .other)
        }
    }

    /// A part of a form is a value, an object with the value, or a list of these.
    private mutating func addPart(_ part: JSONValue, _ name: String) {
        switch part.kind {
        case .array: for element in part.elements { addPart(element, name) }
        case .object where part["text"] != nil: if let text = part["text"] { add(text, .field(name)) }
        default: add(part, .field(name))
        }
    }

    private mutating func addLayer(_ layer: JSONValue) {
        addMembers(of: layer["headers"]) { .field($0) }
        if let query = layer["query"] {
            if query.kind == .string { addQuery(query) } else { addMembers(of: query) { .field($0) } }
        }
        for kind in layer["auth"]?.members.map({ ($0.name, $0.value) }) ?? [] {
            if kind.1.kind == .string { add(kind.1, .credential("token")) }
            for name in ["password", "key", "secretAccessKey", "sessionToken"] {
                if let value = kind.1[name] { add(value, .credential(name)) }
            }
            guard let value = kind.1["value"] else { continue }
            add(value, .credential((kind.1["header"] ?? kind.1["query"])?.string ?? "key"))
        }
        if let password = layer["proxy"]?["password"] { add(password, .credential("proxyPassword")) }
        if let base = layer["baseURL"] { add(base, .other) }
    }

    /// Marks a param as secret if its name shows that its values are credentials. Then the values are not exported.
    private mutating func addParam(_ param: JSONValue.Member) {
        let value = param.value
        let samples = [value["default"], value["example"]].compactMap { $0?.string }
        guard value.kind == .object, value["secret"] == nil,
            samples.contains(where: { LikelySecret.isSecret(param.name, $0) })
        else { return }
        all.append(TextEdit(value.range.lowerBound..<value.range.lowerBound + 1, #"{"secret": true, "#))
        found.append((param.name, param.key.place))
    }

    // MARK: Values

    private mutating func addMembers(of object: JSONValue?, _ role: (String) -> Role) {
        guard let object, object.kind == .object else { return }
        for member in object.members { add(member.value, role(member.name)) }
    }

    private mutating func add(_ value: JSONValue, _ role: Role) {
        switch value.kind {
        case .string: addText(value, role)
        case .number:
            if case .field(let name) = role, LikelySecret.isHeader(name) { replaceAll(of: value, value.text, name) }
        case .array: for element in value.elements { add(element, role) }
        case .object where value["$switch"] != nil:
            // The keys are the cases of the choice.
            for member in value.members where member.name != "$switch" { add(member.value, role) }
        case .object: addMembers(of: value) { .named($0) }
        default: break
        }
    }

    private mutating func addText(_ value: JSONValue, _ role: Role) {
        guard let text = value.string, !text.isEmpty else { return }
        switch role {
        case .credential(let name): replaceAll(of: value, text, name)
        case .field(let name) where LikelySecret.isHeader(name) || !Self.scheme(of: text, name).isEmpty,
            .field(let name) where LikelySecret.isSecret(name, text),
            .named(let name) where LikelySecret.isSecret(name, text):
            replaceAll(of: value, text, name)
        case .field(let name), .named(let name): replaceFound(in: value, text, name)
        case .other: replaceFound(in: value, text, nil)
        }
    }

    /// Replaces all literal parts of a value, except the scheme of authorization before them.
    private mutating func replaceAll(of value: JSONValue, _ text: String, _ name: String) {
        let result = Self.mapLiterals(of: text) { literal, isFirst in
            let scheme = isFirst ? Self.scheme(of: literal, name) : ""
            return TextTemplate.escaped(scheme) + replaced(String(literal.dropFirst(scheme.count)), name, value)
        }
        if result != text { all.append(TextEdit(value.range, OrderedJSON.string(result).compact)) }
    }

    /// The text with its literal parts changed and its placeholders unchanged.
    private static func mapLiterals(
        of text: String, _ change: (_ literal: String, _ isFirst: Bool) -> String
    ) -> String {
        let bytes = Array(text.utf8)
        return TemplateReader(bytes).enumerated().map { index, piece in
            switch piece {
            case .literal(let literal): change(literal, index == 0)
            case .placeholder(let content): "{{\(String(decoding: bytes[content], as: UTF8.self))}}"
            case .unclosed: ""
            }
        }.joined()
    }

    /// The scheme of authorization at the beginning of a text, such as `Bearer `; empty if there is none.
    ///
    /// - Parameter name: The name of the value. An Authorization header may have any scheme.
    private static func scheme(of text: String, _ name: String) -> String {
        guard let space = text.firstIndex(of: " ") else { return "" }
        let word = text[..<space]
        let isScheme =
            name.lowercased().hasSuffix("authorization")
            ? word.utf8.allSatisfy { $0.isLetter || $0 == UInt8(ascii: "-") } : ["Bearer", "Basic"].contains(word)
        return isScheme ? word + " " : ""
    }

    private mutating func replaced(_ literal: String, _ name: String, _ value: JSONValue) -> String {
        if literal.allSatisfy({ $0 == " " }) { return literal }
        let variable = variables.name(for: literal, named: name)
        if known.insert(variable).inserted { found.append((variable, value.place)) }
        return "{{$env.\(variable)}}"
    }

    /// Replaces credentials that their form, or a name in the string itself, shows.
    private mutating func replaceFound(in value: JSONValue, _ text: String, _ name: String?) {
        let bytes = Array(text.utf8)
        let names = LikelySecret.secrets(in: text).map { (text: $0.value, name: $0.name) }
        if names.isEmpty { return }
        var result = ""
        var start = 0
        for range in LikelySecret.written(in: bytes) {
            let literal = String(decoding: bytes[range], as: UTF8.self)
            let own = names.first { $0.text.contains(literal) }?.name
            result += String(decoding: bytes[start..<range.lowerBound], as: UTF8.self)
            result += replaced(literal, own ?? name ?? "token", value)
            start = range.upperBound
        }
        result += String(decoding: bytes[start...], as: UTF8.self)
        if result != text { all.append(TextEdit(value.range, OrderedJSON.string(result).compact)) }
    }

    /// Replaces the values of secret items in a query that is text.
    private mutating func addQuery(_ value: JSONValue) {
        guard let text = value.string else { return }
        let items = text.split(separator: "&", omittingEmptySubsequences: false).map { item -> String in
            guard let equals = item.firstIndex(of: "=") else { return String(item) }
            let content = String(item[item.index(after: equals)...])
            let name = PercentEncoding.decoded(item[..<equals])
            guard LikelySecret.isSecret(name, content) || LikelySecret.isIn(content) else { return String(item) }
            return item[...equals] + Self.mapLiterals(of: content) { literal, _ in replaced(literal, name, value) }
        }
        let result = items.joined(separator: "&")
        if result != text { all.append(TextEdit(value.range, OrderedJSON.string(result).compact)) }
    }
}
