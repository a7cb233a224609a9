import ReqcliText

/// The role of a string in a request.
enum TextRole: Equatable {
    /// A value at a place for credentials, such as a password, with the name for the secret.
    case credential(String)
    /// The value of a header, a query item or a member of the body.
    case named(String)
    case path
    /// The path of a file that is sent.
    case file
    /// The path of a certificate or its key.
    case certificate
    case other

    /// The name of the header, query item or member that has the string as its value.
    var name: String? { if case .named(let name) = self { name } else { nil } }

    fileprivate static let ofSettings: [String: TextRole] = [
        "proxy.user": .credential("proxyUser"), "proxy.password": .credential("proxyPassword"),
        "tls.ca": .certificate, "tls.cert": .certificate, "tls.key": .certificate,
    ]
}

extension ImportedRequest {
    /// Changes every string that may have placeholders.
    mutating func mapTexts(_ change: (TextRole, String) -> String) {
        base = base.map { change(.other, $0) }
        path = change(.path, path)
        switch query {
        case .text(let text): query = .text(change(.other, text))
        case .items(let items):
            query = .items(items.mapped(change))
        }
        headers = headers.mapped(change)
        auth = auth.mappingTexts(change)
        body = body?.mappingTexts(change)
        settings = settings.map { setting in
            let role = TextRole.ofSettings[setting.name] ?? .other
            return OrderedJSON.Member(setting.name, setting.value.mappingTexts { change(role, $0) })
        }
        expect = expect?.mapped(named: nil, change)
    }

    /// The placeholders of every string, in the order of the request.
    var placeholders: [String] {
        var placeholders: [String] = []
        var copy = self
        copy.mapTexts { _, text in
            placeholders += text.placeholders
            return text
        }
        return placeholders
    }
}

extension ImportedEnvironment {
    /// Changes every string that may have placeholders.
    mutating func mapTexts(_ change: (TextRole, String) -> String) {
        baseURL = baseURL.map { change(.other, $0) }
        auth = auth.mappingTexts(change)
        variables = variables.map { OrderedJSON.Member($0.name, $0.value.mappingTexts { change(.other, $0) }) }
    }

    /// The placeholders of every string, in the order of the environment.
    var placeholders: [String] {
        var placeholders: [String] = []
        var copy = self
        copy.mapTexts { _, text in
            placeholders += text.placeholders
            return text
        }
        return placeholders
    }

    /// Gives placeholders other names.
    mutating func rename(_ names: [String: String]) { mapTexts { TemplateText.renaming(in: $1) { names[$0] } } }
}

extension OrderedJSON {
    var placeholders: [String] { texts.flatMap(\.placeholders) }

    func mapped(named name: String?, _ change: (TextRole, String) -> String) -> OrderedJSON {
        switch self {
        case .string(let text): .string(change(name.map { .named($0) } ?? .other, text))
        case .array(let elements): .array(elements.map { $0.mapped(named: name, change) })
        case .object(let members):
            .object(members.mapped(change))
        case .null, .bool, .number: self
        }
    }
}

extension [OrderedJSON.Member] {
    func mapped(_ change: (TextRole, String) -> String) -> Self {
        map { OrderedJSON.Member($0.name, $0.value.mapped(named: $0.name, change)) }
    }
}
