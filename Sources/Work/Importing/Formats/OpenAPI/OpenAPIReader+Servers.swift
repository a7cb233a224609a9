import ReqcliBasics
import ReqcliDefinitions
import ReqcliOpenAPI
import ReqcliRedaction
import ReqcliText

extension OpenAPIReader {
    /// An environment for each server of the description.
    mutating func serverEnvironments() -> [ImportedEnvironment] {
        if let exported = exportedEnvironments() { return exported }
        var found: [ImportedEnvironment] = []
        var names = EnvironmentNames()
        var bases: Set<String> = []
        let servers = document.servers(nil)
        for server in servers {
            let base = base(of: server) { "{{\(ParamNames.clean($0.name))}}" }
            guard bases.insert(base).inserted else { continue }
            var environment = ImportedEnvironment(
                name: servers.count > 1 ? names.name(for: server.description?.withoutTokens, url: base) : nil,
                baseURL: base)
            environment.description = server.description?.firstParagraph
            environment.variables = server.variables.map {
                OrderedJSON.Member(ParamNames.clean($0.name), .literal($0.value))
            }
            for variable in server.variables {
                guard let choices = variable.choices else { continue }
                note(
                    .lost, "the allowed values of a server variable are not converted",
                    "\(variable.name): \(choices.elements.compactMap(\.string).prefix(8).joined(separator: ", "))",
                    at: choices.place)
            }
            found.append(environment)
        }
        if !found.isEmpty { return found }
        let place = Place(document.root.place.file, document.root.range.lowerBound..<document.root.range.lowerBound)
        return [ImportedEnvironment(baseURL: absolute("", at: place))]
    }

    /// The server that an operation or its path uses instead of the server of the description.
    mutating func ownBase(of operation: OpenAPIOperation) -> String? {
        guard let list = operation.servers, let server = document.servers(list).first else { return nil }
        let base = base(of: server) { TextTemplate.escaped(inURL: $0.value) }
        if document.servers(nil).first.map({ self.base(of: $0) { $0.value } }) == base { return nil }
        if list.count > 1 {
            note(
                .lost, "an operation has several servers: only the first one is used", operation.pointer,
                at: server.place)
        }
        if !server.variables.isEmpty {
            note(
                .approximated, "variables in the server of an operation are replaced by their defaults",
                operation.pointer,
                at: server.place)
        }
        return base
    }

    /// The URL of a server, without a slash at its end.
    private mutating func base(
        of server: OpenAPIServer, _ text: (OpenAPIServer.Variable) -> String
    ) -> String {
        var url = ""
        var rest = server.url[...]
        let variables = Dictionary(server.variables.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            url += rest[..<open]
            if let variable = variables[name] {
                url += text(variable)
            } else if !url.contains("://") {
                // Skips another tool's placeholder for the whole server, such as `{{baseUrl}}`.
                url = ""
                rest = rest[close...].drop { $0 == "}" }
                continue
            } else {
                note(
                    .toDo, "a variable in a server isn't declared: its name is used as its value", name,
                    at: server.place)
                url += ParamNames.clean(name)
            }
            rest = rest[rest.index(after: close)...]
        }
        url += rest
        return absolute(url, at: server.place)
    }

    private mutating func absolute(_ url: String, at place: Place) -> String {
        let plain = String(url.prefix { $0 != "?" && $0 != "#" }).trimmed
        let whole: String
        if plain.hasPrefix("{{") || plain.lowercased().hasPrefix("http://") || plain.lowercased().hasPrefix("https://")
        {
            whole = plain
        } else if plain.hasPrefix("//") {
            whole = (self.url?.hasPrefix("http:") == true ? "http:" : "https:") + plain
        } else if !plain.hasPrefix("/"), plain.contains("://") {
            note(.lost, "a server that doesn't use HTTP is not converted", plain, at: place)
            whole = ServerPass.standIn
        } else if Self.isHostWithPort(plain) {
            note(.approximated, "a server without a scheme gets the scheme http", plain, at: place)
            whole = "http://" + plain
        } else if let base = self.url {
            whole = Self.resolve(plain, against: base)
        } else {
            note(
                .toDo, "the description names no host: set \"baseURL\"", plain.isEmpty ? nil : plain,
                at: place)
            whole = ServerPass.standIn + (plain.isEmpty || plain.hasPrefix("/") ? plain : "/" + plain)
        }
        return whole.hasSuffix("/") ? String(whole.dropLast()) : whole
    }

    /// Whether a URL begins like `localhost:3000`. By the grammar of URLs, `localhost` would be a scheme.
    private static func isHostWithPort(_ url: String) -> Bool {
        let sides = url.prefix { $0 != "/" }.split(separator: ":", omittingEmptySubsequences: false)
        return sides.count == 2 && !sides[0].isEmpty && !sides[1].isEmpty && sides[1].utf8.allSatisfy(\.isDigit)
    }

    /// A relative URL, resolved against the URL of the description.
    private static func resolve(_ path: String, against url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return ServerPass.standIn }
        let end = url[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        let origin = String(url[..<end])
        if path.isEmpty || path.hasPrefix("/") { return origin + path }
        var segments = url[end...].prefix { $0 != "?" && $0 != "#" }.split(separator: "/").dropLast().map(String.init)
        for segment in path.split(separator: "/") where segment != "." {
            if segment == ".." { _ = segments.popLast() } else { segments.append(String(segment)) }
        }
        return ([origin] + segments).joined(separator: "/")
    }
}

/// Makes names for environments, each name only once.
private struct EnvironmentNames {
    private var taken = UniqueNames()

    /// Words that can be the name of an environment.
    private static let known = [
        "production", "prod", "live", "staging", "stage", "sandbox", "testing", "test", "development", "dev", "local",
        "localhost", "uat", "qa", "demo", "preview", "mock", "beta", "integration",
    ]
    private static let fillers: Set<String> = [
        "server", "servers", "environment", "env", "the", "api", "url", "endpoint", "base", "main", "our", "for", "a",
        "an",
        "of", "default", "host",
    ]

    mutating func name(for description: String?, url: String) -> String {
        taken.take(Self.stem(description, url))
    }

    private static func stem(_ description: String?, _ url: String) -> String {
        let words = Words.of(description?.firstParagraph ?? "")
        if let word = words.first(where: { known.contains($0) }) { return word }
        let own = words.filter { !fillers.contains($0) }
        if (1...3).contains(own.count) { return own.joined(separator: "-") }
        let host = url.firstRange(of: "://").map { url[$0.upperBound...].prefix { $0 != "/" && $0 != ":" } } ?? ""
        let labels = host.split(separator: ".").map { Words.kebab($0) }.filter { !$0.isEmpty }
        if let word = labels.flatMap({ Words.of($0) }).first(where: { known.contains($0) }) {
            return word == "localhost" ? "local" : word
        }
        let isAddress = host.allSatisfy { $0.isNumber || $0 == "." }
        let telling = isAddress ? labels : labels.dropLast().filter { !["api", "www"].contains($0) }
        let name = telling.joined(separator: "-")
        return name.isEmpty ? labels.first ?? "server" : name
    }
}
