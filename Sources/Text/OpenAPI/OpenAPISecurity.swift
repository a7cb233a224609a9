package import ReqcliText

/// A server of a description.
package struct OpenAPIServer: Sendable {
    /// A variable in the URL, in braces.
    package struct Variable: Sendable {
        package let name: String
        package let value: String
        /// The values that the variable may have, if there are several.
        package let choices: JSONValue?

        package init(name: String, value: String, choices: JSONValue? = nil) {
            self.name = name
            self.value = value
            self.choices = choices
        }
    }

    package let url: String
    package let description: String?
    package let variables: [Variable]
    package let place: Place
}

/// A way to send credentials.
package struct OpenAPISecurityScheme: Sendable {
    package enum Kind: Sendable, Equatable {
        case bearer, basic, digest
        /// Any other scheme of the header `Authorization`.
        case otherHTTP(String)
        /// A key in a header, a query item or a cookie.
        case apiKey(in: String, name: String)
        case oauth2, openIDConnect, mutualTLS
        case unknown
    }

    package let name: String
    package let kind: Kind
    package let value: JSONValue
}

extension OpenAPIDocument {
    /// The servers in a list; without a list, the servers of the description.
    package func servers(_ list: JSONValue?) -> [OpenAPIServer] {
        if version == .swagger { return swaggerServers }
        guard let list = list ?? root["servers"] else { return [] }
        return list.elements.compactMap { server in
            guard let url = server["url"]?.string else { return nil }
            let variables = server["variables"].map { variables in
                variables.members.map { member in
                    let value = member.value["default"] ?? member.value["enum"]?.elements.first { _ in true }
                    return OpenAPIServer.Variable(
                        name: member.name, value: value.map { $0.string ?? $0.text } ?? "",
                        choices: member.value["enum"].flatMap { $0.count > 1 ? $0 : nil })
                }
            }
            return OpenAPIServer(
                url: url, description: server["name"]?.string ?? server["description"]?.string,
                variables: variables ?? [], place: (server["url"] ?? server).place)
        }
    }

    private var swaggerServers: [OpenAPIServer] {
        let path = root["basePath"]?.string ?? ""
        guard let host = root["host"] else {
            guard let place = root["basePath"]?.place else { return [] }
            return [OpenAPIServer(url: path, description: nil, variables: [], place: place)]
        }
        let schemes = root["schemes"]?.elements.compactMap(\.string).filter { $0.hasPrefix("http") } ?? []
        // Takes the safest scheme, because all schemes lead to the same server.
        let scheme = schemes.contains("https") ? "https" : schemes.first ?? "https"
        return [
            OpenAPIServer(
                url: "\(scheme)://\(host.string ?? "")\(path)", description: nil, variables: [], place: host.place)
        ]
    }

    /// The security scheme with the name that a security requirement refers to.
    package mutating func securityScheme(_ name: String) -> OpenAPISecurityScheme? {
        let schemes = version == .swagger ? root["securityDefinitions"] : root["components"]?["securitySchemes"]
        // The schemes may be in another file. A reference has one member; to look for it among many would take quadratic time.
        let all = schemes?.count == 1 ? resolve(schemes) : schemes
        guard let value = resolve(all.flatMap { references.member(name, of: $0) }), value.kind == .object
        else {
            return nil
        }
        return OpenAPISecurityScheme(name: name, kind: Self.kind(of: value), value: value)
    }

    private static func kind(of scheme: JSONValue) -> OpenAPISecurityScheme.Kind {
        switch scheme["type"]?.string {
        case "basic": return .basic
        case "http":
            let name = scheme["scheme"]?.string ?? ""
            switch name.lowercased() {
            case "bearer": return .bearer
            case "basic": return .basic
            case "digest": return .digest
            default: return .otherHTTP(name)
            }
        case "apiKey":
            guard let name = scheme["name"]?.string, let location = scheme["in"]?.string else { return .unknown }
            return .apiKey(in: location, name: name)
        case "oauth2": return .oauth2
        case "openIdConnect": return .openIDConnect
        case "mutualTLS": return .mutualTLS
        default: return .unknown
        }
    }
}
