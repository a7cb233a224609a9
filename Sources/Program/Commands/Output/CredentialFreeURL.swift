import ReqcliBasics
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// The parts of a typed URL that may be written to a file. The URL has no user or password, and no part of it looks like a
/// secret.
struct CredentialFreeURL {
    /// Scheme, host and port: `https://api.example.com`.
    let origin: String
    /// The path as typed; empty for the server itself.
    let path: String
    /// The query as typed, without the question mark; nil if the URL has no query.
    let query: String?

    /// The reason why a URL can't be kept. The reason never contains a user, a password or a secret.
    enum Problem: Error {
        case scheme
        case host(String)
        case account
        /// A part of the URL looks like a secret. The string describes this part in messages.
        case secret(String)
    }

    /// Reads a URL without its fragment, which is never sent to a server.
    init(_ url: String) throws(Problem) {
        let parts = url.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()) else { throw .scheme }
        let rest = parts[1].prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard Self.isValid(authority) else {
            // A slash in a password ends the authority too early. So an `@` in the rest of the URL is taken as the end of a user
            // and password.
            throw parts[1].contains("@") ? .account : .host(TerminalText.harmless(String(authority)))
        }
        origin = "\(parts[0].lowercased())://\(authority)"
        let target = rest.dropFirst(authority.count).split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(target.first ?? "")
        query = target.count == 2 ? String(target[1]) : nil
        if let secret = SecretInURL(path: path, query: queryItems) { throw .secret(secret.description) }
    }

    /// The URL without its fragment.
    var text: String { origin + path + (query.map { "?" + $0 } ?? "") }

    /// The query items in their order, decoded.
    var queryItems: [(name: String, value: String)] {
        func decoded(_ text: Substring) -> String { PercentEncoding.decoded(text.replacing("+", with: " ")) }
        return (query ?? "").split(separator: "&").map { item in
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (decoded(pair[0]), pair.count == 2 ? decoded(pair[1]) : "")
        }
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
}

/// The first part of a URL that looks like a secret.
struct SecretInURL {
    /// The name of the part for messages, without its value.
    let description: String

    /// Finds the first part that looks like a secret; nil if there is none.
    ///
    /// - Parameter query: The items of the query, decoded.
    init?(path: String, query: [(name: String, value: String)]) {
        if LikelySecret.isIn(PercentEncoding.decoded(path)) {
            description = "the path"
            return
        }
        let item = query.first { item in
            LikelySecret.isIn(item.name) || LikelySecret.isIn(item.value)
                || LikelySecret.isSecret(item.name, item.value)
        }
        guard let item else { return nil }
        description =
            LikelySecret.isIn(item.name) ? "the query" : "\"\(TerminalText.harmless(item.name))\" in the query"
    }
}
