import Foundation
import ReqcliBasics
import ReqcliText
import RequestBuilding

/// Codecs for settings of the connection to the server. In files, these settings don't exist or are written in another way.
extension SettingCodec {
    private init(flag text: SettingText, parse: @escaping @Sendable (String) throws(SettingComplaint) -> Value) {
        self.init(text, nil, swift: { .code("\($0)") }, parse: parse)
    }
}

extension SettingCodec<String> {
    static var noProxy: Self { Self(flag: SettingText("LIST", expected: "a list of hosts")) { $0 } }

    /// The path of a Unix socket. The address of a socket has little room, so the path must be short.
    static var socket: Self {
        let longest = TransferSettings.longestSocketPath
        let text = SettingText("PATH", expected: "a path of at most \(longest) bytes", isPath: true)
        return Self(flag: text) { (path) throws(SettingComplaint) in
            guard !path.isEmpty else { throw SettingComplaint() }
            guard path.utf8.count <= longest else {
                throw SettingComplaint(
                    hint: "this path has \(path.utf8.count) bytes: use a shorter relative path, or a link to the socket"
                )
            }
            return path
        }
    }
}

extension SettingCodec<ProxySettings> {
    /// The URL of a proxy. The URL must not contain an account, because every user of the machine can read a process's arguments.
    static var proxyURL: Self {
        let expected = "the URL of a proxy such as http://proxy.example.com:3128, or '' for none"
        return Self(flag: SettingText("URL", expected: expected, mayHoldSecret: true)) {
            (text) throws(SettingComplaint) in
            if let complaint = ServerAddress.proxyComplaint(about: text) {
                throw SettingComplaint(hint: "the URL \(complaint)")
            }
            return ProxySettings(text)
        }
    }
}

extension SettingCodec<ResolvedHost> {
    /// An address for a host and port, in the same form as in curl (`--resolve`). An IPv6 address may be in brackets.
    static var resolvedHost: Self {
        Self(flag: SettingText("HOST:PORT:ADDR", expected: "HOST:PORT:ADDR")) { (text) throws(SettingComplaint) in
            guard let host = ResolvedHost(text: text) else {
                throw SettingComplaint(hint: "write 'api.example.com:443:127.0.0.1'; ADDR is an IP address")
            }
            return host
        }
    }
}

extension ResolvedHost {
    package init?(text: String) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, let port = Int(parts[1]), (1...65535).contains(port) else {
            return nil
        }
        var address = String(parts[2])
        if address.hasPrefix("["), address.hasSuffix("]") { address = String(address.dropFirst().dropLast()) }
        guard Self.isAddress(address) else { return nil }
        self.init(host: parts[0].lowercased(), port: port, address: address)
    }

    private static func isAddress(_ text: String) -> Bool {
        var room = in6_addr()
        return [AF_INET, AF_INET6].contains { inet_pton($0, text, &room) == 1 }
    }
}

extension SettingCodec<ConnectionDetour> {
    /// Another server for a host and port, in the same form as in curl (`--connect-to`).
    static var detour: Self {
        let form = "HOST1:PORT1:HOST2:PORT2"
        return Self(flag: SettingText(form, expected: form)) { (text) throws(SettingComplaint) in
            guard let detour = ConnectionDetour(text: text) else {
                throw SettingComplaint(
                    hint:
                        "write 'api.example.com:443:127.0.0.1:8443', or '::127.0.0.1:8443' for any host and port; an "
                        + "IPv6 address needs brackets")
            }
            return detour
        }
    }
}

extension ConnectionDetour {
    package init?(text: String) {
        // A host may be in brackets, and may contain colons there.
        var parts = [""]
        var isBracketed = false
        for character in text {
            if character == ":", !isBracketed {
                parts.append("")
                continue
            }
            if character == "[" || character == "]" { isBracketed = character == "[" }
            parts[parts.count - 1].append(character)
        }
        guard parts.count == 4, [parts[0], parts[2]].allSatisfy({ $0.isEmpty || ServerAddress.isHost($0) }),
            [parts[1], parts[3]].allSatisfy({ $0.isEmpty || Self.isPort($0) })
        else { return nil }
        self.init(
            host: parts[0].isEmpty ? nil : parts[0].lowercased(), port: Int(parts[1]),
            otherHost: parts[2].isEmpty ? nil : parts[2], otherPort: Int(parts[3]))
    }

    private static func isPort(_ text: String) -> Bool {
        text.utf8.allSatisfy(\.isDigit) && Int(text).map((1...65535).contains) == true
    }
}
