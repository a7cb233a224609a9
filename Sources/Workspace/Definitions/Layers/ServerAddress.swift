import ReqcliBasics
import RequestBuilding

/// The grammar of base URLs: `https://api.example.com:8443/v2`.
package enum ServerAddress {
    /// The problem with a base URL, as the rest of a sentence that begins with the name of the key or flag; nil if the URL is
    /// valid.
    package static func complaint(about text: String) -> String? {
        guard let mark = text.firstRange(of: "://") else {
            return "takes a whole URL, beginning with http:// or https://"
        }
        guard Scheme(rawValue: text[..<mark.lowerBound].lowercased()) != nil else { return "takes http or https" }
        return complaint(aboutRest: text[mark.upperBound...], hint: "\"auth\"")
    }

    /// The problem with the URL of a proxy, as the rest of a sentence that begins with a name for the URL; nil if the URL is
    /// valid. The scheme may be missing, which means http. An empty URL means no proxy.
    package static func proxyComplaint(about text: String) -> String? {
        if text.isEmpty { return nil }
        guard let mark = text.firstRange(of: "://") else {
            return complaint(aboutRest: text[...], hint: accountOfProxy)
        }
        guard ProxySettings.schemes.contains(text[..<mark.lowerBound].lowercased()) else {
            return "takes one of the schemes \(ProxySettings.schemes.joined(separator: ", "))"
        }
        return complaint(aboutRest: text[mark.upperBound...], hint: accountOfProxy)
    }

    private static let accountOfProxy = "\"user\" and \"password\" next to \"url\" in a file"

    /// - Parameter hint: The name of the setting for an account, for messages.
    private static func complaint(aboutRest rest: Substring, hint: String) -> String? {
        if let mark = rest.first(where: { $0 == "?" || $0 == "#" }) {
            return "can't have a \(mark == "?" ? "query" : "fragment")"
        }
        let authority = rest.prefix { $0 != "/" }
        if authority.contains("@") { return "can't have a user or password in it; use \(hint)" }
        // The colons inside the brackets belong to an IPv6 address and don't begin a port.
        let afterBracket = authority.lastIndex(of: "]").map(authority.index(after:)) ?? authority.startIndex
        let colon = authority[afterBracket...].firstIndex(of: ":")
        if let colon {
            let digits = authority[colon...].dropFirst()
            guard digits.utf8.allSatisfy(\.isDigit), let port = Int(digits), (1...65535).contains(port) else {
                return "takes a port from 1 to 65535"
            }
        }
        let host = authority[..<(colon ?? authority.endIndex)]
        return isHost(String(host)) ? nil : "needs a host name or address"
    }

    /// Whether a text is a host alone, without scheme, port, path, user or whitespace.
    package static func isHost(_ text: String) -> Bool {
        // An address with colons must be in brackets.
        (text.hasPrefix("[") || !text.contains(":")) && HostName.isValid(text)
    }
}
