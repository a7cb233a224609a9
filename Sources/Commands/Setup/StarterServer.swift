import ASCII
import CommandLineKit
import Definitions
import Redaction
import RequestBuilding
import SourceText
import TerminalText

/// The URL of `init --from`: a server, and a path on it.
struct StarterServer {
    let baseURL: String
    let path: String
    /// The query items in their order, decoded.
    let query: [(name: String, value: String)]

    /// Reads a URL without its fragment, which no server gets. The messages never quote a user or a password.
    init(_ url: String) throws(UsageError) {
        let parts = url.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()) else {
            throw Self.mistake(
                "--from takes a URL that begins with http:// or https://", hint: "such as https://api.example.com/users"
            )
        }
        let rest = parts[1].prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard Self.isValid(authority) else {
            // A password may have a slash in it, and then ends the authority.
            if parts[1].contains("@") {
                throw Self.mistake(
                    "--from takes a URL without a user and a password, because they would get into a file",
                    hint: "leave them out, and write \"auth\" with a secret into the environment")
            }
            throw Self.mistake(
                "--from: \"\(TerminalText.harmless(String(authority)))\" is not a host, with or without a port",
                hint: "such as https://api.example.com/users or http://localhost:8080")
        }
        baseURL = "\(parts[0].lowercased())://\(authority)"
        let target = rest.dropFirst(authority.count).split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        // In a URL two braces are no placeholder.
        let path = TextTemplate.escaped(inURL: String(target.first ?? ""))
        self.path = path.isEmpty ? "/" : path
        query = (target.count == 2 ? target[1] : "").split(separator: "&").map { item in
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(pair[0]), pair.count == 2 ? Self.decoded(pair[1]) : "")
        }
        if let secret = SecretInURL(path: self.path, query: query) {
            throw Self.mistake(
                "--from: \(secret.description) of the URL looks like a secret, which would get into a file",
                hint: "leave it out, and write \"auth\" with a secret into the environment")
        }
    }

    private static func mistake(_ message: String, hint: String) -> UsageError {
        UsageError(message, hint: hint, command: InitCommand.spec.name)
    }

    private static func isValid(_ authority: Substring) -> Bool {
        let end = authority.lastIndex(of: "]") ?? authority.startIndex
        let colon = authority[end...].firstIndex(of: ":")
        let host = authority[..<(colon ?? authority.endIndex)]
        guard HostName.inURL(Array(host.utf8)[...]) != nil else { return false }
        guard let colon else { return true }
        let port = authority[authority.index(after: colon)...]
        return port.utf8.allSatisfy(\.isDigit) && (1...65535).contains(Int(port) ?? 0)
    }

    /// The text of a part of the query, as a form writes it, for a file of definitions.
    private static func decoded(_ text: Substring) -> String {
        TextTemplate.escaped(PercentEncoding.decoded(text.replacing("+", with: " ")))
    }

    /// The id of the endpoint: the last segment of the path that begins with a letter, as far as an id can hold it.
    var endpointID: String {
        let names = path.split(separator: "/").map { segment in
            segment.utf8.prefix { $0 == 0x5F || $0 == .minus || $0.isAlphanumeric }.prefix(60)
        }
        let name = names.last { $0.first?.isLetter == true }
        return name.map { String(decoding: $0, as: UTF8.self) } ?? "root"
    }
}

/// The first part of a URL that looks like a secret.
struct SecretInURL {
    /// The part as a message names it, without its value.
    let description: String

    /// - Parameter query: The items of the query, decoded.
    init?(path: String, query: [(name: String, value: String)]) {
        if LikelySecret.isIn(PercentEncoding.decoded(path)) {
            description = "the path"
            return
        }
        let item = query.first { item in
            LikelySecret.isIn(item.name) || LikelySecret.isIn(item.value)
                || (LikelySecret.isName(item.name) && !item.value.isEmpty)
        }
        guard let item else { return nil }
        description =
            LikelySecret.isIn(item.name) ? "the query" : "\"\(TerminalText.harmless(item.name))\" in the query"
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
                "\(Program.name) \(ShellWord.line($0))"
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
