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

/// A part of an import with strings that may have placeholders.
protocol TextHolder {
    /// Changes every string that may have placeholders.
    mutating func mapTexts(_ change: (TextRole, String) -> String)
}

extension TextHolder {
    func visitTexts(_ visit: (TextRole, String) -> Void) {
        var copy = self
        copy.mapTexts { role, text in
            visit(role, text)
            return text
        }
    }

    /// The placeholders of every string, in order.
    var placeholders: [String] {
        var placeholders: [String] = []
        visitTexts { placeholders += $1.placeholders }
        return placeholders
    }

    /// Gives placeholders other names.
    mutating func rename(_ newName: (_ name: String) -> String?) {
        mapTexts { TemplateText.renaming(in: $1, newName) }
    }
}

extension ImportedRequest: TextHolder {
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
}

extension ImportedEnvironment: TextHolder {
    mutating func mapTexts(_ change: (TextRole, String) -> String) {
        baseURL = baseURL.map { change(.other, $0) }
        auth = auth.mappingTexts(change)
        variables = variables.map { OrderedJSON.Member($0.name, $0.value.mappingTexts { change(.other, $0) }) }
    }
}

extension ImportedAPI: TextHolder {
    mutating func mapTexts(_ change: (TextRole, String) -> String) {
        for index in requests.indices { requests[index].mapTexts(change) }
        for index in environments.indices { environments[index].mapTexts(change) }
    }
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
