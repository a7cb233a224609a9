import CommandLineKit
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// The URL of `init --from`: a server, and a path on it.
struct StarterServer {
    let baseURL: String
    let path: String
    /// The query items in their order, decoded.
    let query: [(name: String, value: String)]

    /// Reads a URL without its fragment, which is never sent to a server. The messages never quote a user or a password.
    init(_ url: String) throws(UsageError) {
        let plain: CredentialFreeURL
        do throws(CredentialFreeURL.Problem) { plain = try CredentialFreeURL(url) } catch {
            throw Self.mistake(error)
        }
        baseURL = plain.origin
        // A typed URL has no placeholders, so double braces in the URL are escaped.
        path = TextTemplate.escaped(inURL: plain.path.isEmpty ? "/" : plain.path)
        query = plain.queryItems.map { (TextTemplate.escaped($0.name), TextTemplate.escaped($0.value)) }
    }

    private static func mistake(_ problem: CredentialFreeURL.Problem) -> UsageError {
        let advice = "leave it out, and write \"auth\" with a secret into the environment"
        let (message, hint) =
            switch problem {
            case .scheme:
                (
                    "--from takes a URL that begins with http:// or https://",
                    "such as https://api.example.com/users"
                )
            case .host(let host):
                (
                    "--from: \"\(host)\" is not a host with an optional port",
                    "such as https://api.example.com/users or http://localhost:8080"
                )
            case .account:
                (
                    "--from takes a URL without a user and a password, because they would be written to a file",
                    advice.replacing("leave it", with: "leave them")
                )
            case .secret(let part):
                ("--from: \(part) of the URL looks like a secret, which would be written to a file", advice)
            }
        return UsageError(message, hint: hint, command: InitCommand.spec.name)
    }

    /// The id of the endpoint: the last segment of the path that begins with a letter, cut before the first character that an id
    /// can't contain.
    var endpointID: String {
        let names = path.split(separator: "/").map { segment in
            segment.utf8.prefix { $0 == 0x5F || $0 == .minus || $0.isAlphanumeric }.prefix(60)
        }
        let name = names.last { $0.first?.isLetter == true }
        return name.map { String(decoding: $0, as: UTF8.self) } ?? "root"
    }
}

extension StarterWorkspace {
    /// One endpoint, for the path of a URL, and an environment for its server.
    init(_ server: StarterServer) {
        let id = server.endpointID
        self.init(
            parts: [
                Part("endpoints/\(id).json", "GET \(server.path)", text: Self.endpoint(server).pretty),
                Part(
                    "environments/development.json", server.baseURL, text: Self.environment(server.baseURL).pretty),
                Self.schemas, Self.ignored,
                Part("reqcli.json", "makes development the current environment", text: Self.developmentSettings.pretty),
            ],
            firstSteps: [["send", id], ["render", id], ["list"], ["show", id]].map {
                "\(Program.name) \(ShellQuoting.line($0))"
            })
    }

    private static func endpoint(_ server: StarterServer) -> OrderedJSON {
        var items: [(name: String, values: [OrderedJSON])] = []
        for (name, value) in server.query {
            if let index = items.firstIndex(where: { $0.name == name }) {
                items[index].values.append(.string(value))
            } else {
                items.append((name, [.string(value)]))
            }
        }
        let query = items.map { OrderedJSON.Member($0.name, $0.values.count == 1 ? $0.values[0] : .array($0.values)) }
        return .object([
            "$schema": "../schema/endpoint.schema.json", "path": .string(server.path),
            "query": query.isEmpty ? nil : .object(query),
        ])
    }

    private static func environment(_ baseURL: String) -> OrderedJSON {
        .object(["$schema": "../schema/environment.schema.json", "baseURL": .string(baseURL)])
    }

    private static let developmentSettings = OrderedJSON.object([
        "$schema": "schema/settings.schema.json", "environment": "development",
    ])
}
