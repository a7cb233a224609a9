import ReqcliText

/// The role of a string in a request.
enum TextRole: Equatable {
    /// A value at a place for credentials, such as a password, with the name for the secret.
    case credential(String)
    /// The value of a header, a query item or a member of the body.
    case named(String)
    case path
    case other

    /// The name of the header, query item or member that has the string as its value.
    var name: String? { if case .named(let name) = self { name } else { nil } }
}

extension ImportedRequest {
    /// Changes every string that may have placeholders.
    mutating func mapTexts(_ change: (TextRole, String) -> String) {
        base = base.map { change(.other, $0) }
        path = change(.path, path)
        switch query {
        case .text(let text): query = .text(change(.other, text))
        case .items(let items):
            query = .items(items.map { OrderedJSON.Member($0.name, $0.value.mapped(named: $0.name, change)) })
        }
        headers = headers.map { OrderedJSON.Member($0.name, $0.value.mapped(named: $0.name, change)) }
        auth = auth.mappingTexts(change)
        body = body.map { body in
            let isParts = body.name == "multipart"
            return OrderedJSON.Member(
                body.name, isParts ? body.value.mappedParts(change) : body.value.mapped(named: nil, change))
        }
        settings = settings.map { setting in
            let value =
                setting.name == "proxy"
                ? setting.value.mappedProxy(change) : setting.value.mapped(named: nil) { change(.other, $1) }
            return OrderedJSON.Member(setting.name, value)
        }
        needs = needs.map { OrderedJSON.Member($0.name, $0.value.mapped(named: nil, change)) }
        expect = expect?.mapped(named: nil, change)
    }

    /// Every string that may have placeholders.
    var texts: [String] {
        var texts: [String] = []
        var copy = self
        copy.mapTexts { _, text in
            texts.append(text)
            return text
        }
        return texts
    }
}

extension OrderedJSON {
    func mapped(named name: String?, _ change: (TextRole, String) -> String) -> OrderedJSON {
        switch self {
        case .string(let text): .string(change(name.map { .named($0) } ?? .other, text))
        case .array(let elements): .array(elements.map { $0.mapped(named: name, change) })
        case .object(let members):
            .object(members.map { Member($0.name, $0.value.mapped(named: $0.name, change)) })
        case .null, .bool, .number: self
        }
    }

    /// Changes the strings of a multipart body. In such a body, the name of a part is one level above its value.
    fileprivate func mappedParts(_ change: (TextRole, String) -> String) -> OrderedJSON {
        guard case .object(let parts) = self else { return mapped(named: nil, change) }
        return .object(
            parts.map { part in
                Member(
                    part.name,
                    part.value.mapped(named: nil) { role, text in
                        change(role == .named("text") ? .named(part.name) : .other, text)
                    })
            })
    }

    /// Changes the strings of a proxy. Its user and its password are credentials.
    fileprivate func mappedProxy(_ change: (TextRole, String) -> String) -> OrderedJSON {
        guard case .object(let members) = self else { return self }
        let roles: [String: TextRole] = ["user": .credential("proxyUser"), "password": .credential("proxyPassword")]
        return .object(
            members.map { member in
                guard case .string(let text) = member.value else { return member }
                return Member(member.name, .string(change(roles[member.name] ?? .other, text)))
            })
    }
}
