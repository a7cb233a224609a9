import CommandLineKit
import Exchange
import Glibc
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Options for the user's identity and for reaching the server. Definitions have no such settings.
enum ConnectionOptions {
    static let cookieJar = Option(
        "cookie-jar", .jar,
        "Send the cookies in this file and save new ones to it; the file is created if it is missing")
    static let cookieFile = Option("cookie-file", .file(), "Send the cookies in this file, which is only read")
    static let netrc = Flag("netrc", "Read user and password for the server's host from ~/.netrc")
    static let netrcFile = Option("netrc-file", .file(), "Read user and password for the server's host from this file")
    static let unixSocket = Option(
        "unix-socket", .socket, "Connect to this Unix socket instead of the URL's host")
    static let resolve = Option(
        repeated: "resolve", .resolvedHost, "Use this address for a host and port instead of DNS")
    static let proxy = Option(
        "proxy", short: "x", .proxyURL, "Send through this proxy; '' for none",
        otherwise: "as in the definitions, else http_proxy and similar variables")
    static let noProxy = Option(
        "noproxy", .text("LIST"), "Reach these hosts without the proxy: names, addresses, networks; '*' for all")
    static let proxyTunnel = Flag("proxytunnel", "Ask the proxy for a tunnel (CONNECT) for http, too")
    static let proxyDigest = Flag("proxy-digest", "Answer the proxy's Digest challenge instead of sending Basic")
    static let proxyHeader = Option(
        repeated: "proxy-header", .proxyHeader,
        "Send this header only to the proxy: 'Name: value', or 'Name;' for an empty one")

    static let connectTo = Option(
        repeated: "connect-to", .detour,
        "Connect to HOST2 and PORT2 instead of HOST1 and PORT1; empty HOST1 and PORT1 mean any, empty HOST2 and PORT2 the same"
    )
    static let http10 = Flag("http1.0", "Use HTTP/1.0")
    static let http11 = Flag("http1.1", "Use HTTP/1.1, even if the server offers HTTP/2")
    static let http2 = Flag("http2", "Use only HTTP/2; with http, without asking the server first")

    /// The options for commands that make many calls. Options for cookies are left out, because requests that run at the same
    /// time would get each other's cookies by chance.
    static let manyCalls = OptionGroup(
        "Connection", netrc, netrcFile, unixSocket, resolve, connectTo, http10, http11, http2, proxy, noProxy,
        proxyTunnel, proxyDigest, proxyHeader
    ).ruled(by: [.atMostOne(netrc, netrcFile), .atMostOne(http10, http11, http2)])
    static let group = OptionGroup("Connection", [cookieJar.spec, cookieFile.spec] + manyCalls.options)
        .ruled(by: [.atMostOne(cookieJar, cookieFile)] + manyCalls.rules)

    /// The settings that say how a server is reached. They also apply to the requests of needed endpoints.
    static let addressing = [
        TransferSetting.unixSocket.name, TransferSetting.resolvedHosts.name, TransferSetting.detours.name,
        TransferSetting.httpVersion.name, TransferSetting.proxy.name, TransferSetting.noProxy.name,
        TransferSetting.proxyTunnel.name, TransferSetting.proxyDigest.name, TransferSetting.proxyHeaders.name,
    ]

    /// The changes that say how the server is reached.
    static func overrides(_ parsed: ParsedArguments) -> [CommandLineOverride] {
        var result: [CommandLineOverride] = []
        if let path = parsed[unixSocket] {
            result.append(CommandLineOverride(.setting(.unixSocket, path), flag: "--unix-socket \(path)"))
        }
        let hosts = parsed[resolve]
        if let first = hosts.first {
            result.append(CommandLineOverride(.setting(.resolvedHosts, hosts), flag: "--resolve \(first)"))
        }
        let detours = parsed[connectTo]
        if let first = detours.first {
            result.append(CommandLineOverride(.setting(.detours, detours), flag: "--connect-to \(first)"))
        }
        for (flag, version) in [(http10, ProtocolVersion.http10), (http11, .http11), (http2, .http2)]
        where parsed[flag] {
            result.append(CommandLineOverride(.setting(.httpVersion, version), flag: "--\(flag.spec.name)"))
        }
        return result + proxyOverrides(parsed)
    }

    private static func proxyOverrides(_ parsed: ParsedArguments) -> [CommandLineOverride] {
        let headers = parsed[proxyHeader].map { HeaderFields.Field($0.name, $0.value ?? "") }
        let changes: [(CommandLineOverride.Change, String)?] = [
            parsed[proxy].map { (.setting(.proxy, ProxySettings($0)), "--proxy \($0.isEmpty ? "''" : $0)") },
            parsed[noProxy].map { (.setting(.noProxy, $0), "--noproxy \($0)") },
            parsed[proxyTunnel] ? (.setting(.proxyTunnel, true), "--proxytunnel") : nil,
            parsed[proxyDigest] ? (.setting(.proxyDigest, true), "--proxy-digest") : nil,
            headers.first.map { (.setting(.proxyHeaders, HeaderFields(headers)), "--proxy-header '\($0.name): …'") },
        ]
        return changes.compactMap(\.self).map { CommandLineOverride($0.0, flag: $0.1) }
    }
}

extension ValueSpec where Value == String {
    /// The URL of a proxy. It must not contain an account, because every user of the machine can read a process's arguments.
    fileprivate static let proxyURL = ValueSpec(
        "URL", expected: "the URL of a proxy such as http://proxy.example.com:3128, or '' for none",
        mayHoldSecret: true, text: { $0 }
    ) { (text) throws(InvalidValue) in
        if let complaint = ServerAddress.proxyComplaint(about: text) { throw InvalidValue(hint: "it \(complaint)") }
        return text
    }
}

extension ValueSpec where Value == HeaderOverride {
    fileprivate static let proxyHeader = ValueSpec(
        "'NAME: VALUE'", expected: "a header as 'Name: value' or 'Name;'", mayHoldSecret: true
    ) { (text) throws(InvalidValue) in
        let header = try HeaderOverride(text)
        guard let value = header.value else { throw InvalidValue() }
        guard !value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 }) else {
            throw InvalidValue(hint: "the value contains a control character")
        }
        return header
    }
}

extension ValueSpec where Value == String {
    /// A file that is both read and written.
    fileprivate static let jar = file(notStream: "the file is read and written, so it can't be a stream")
}

extension ValueSpec where Value == String {
    /// The path of a Unix socket. The address of a socket has little room, so the path must be short.
    fileprivate static let socket = ValueSpec(
        "PATH", expected: "a path of at most \(TransferSettings.longestSocketPath) bytes", completion: .file,
        text: { $0 }
    ) { (path) throws(InvalidValue) in
        guard !path.isEmpty else { throw InvalidValue() }
        guard path.utf8.count <= TransferSettings.longestSocketPath else {
            throw InvalidValue(
                hint: "this path has \(path.utf8.count) bytes: use a shorter relative path, or a link to the socket")
        }
        return path
    }
}

extension ValueSpec where Value == ResolvedHost {
    /// A value in the same form as in curl. An IPv6 address may be in brackets.
    static let resolvedHost = ValueSpec(
        "HOST:PORT:ADDR", expected: "HOST:PORT:ADDR", text: \.description
    ) { (text) throws(InvalidValue) in
        guard let host = ResolvedHost(text: text) else {
            throw InvalidValue(hint: "write 'api.example.com:443:127.0.0.1'; ADDR is an IP address")
        }
        return host
    }
}

extension ResolvedHost {
    init?(text: String) {
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

extension ValueSpec where Value == ConnectionDetour {
    /// A value in the same form as in curl.
    fileprivate static let detour = ValueSpec(
        "HOST1:PORT1:HOST2:PORT2", expected: "HOST1:PORT1:HOST2:PORT2", text: \.description
    ) { (text) throws(InvalidValue) in
        guard let detour = ConnectionDetour(text: text) else {
            throw InvalidValue(
                hint:
                    "write 'api.example.com:443:127.0.0.1:8443', or '::127.0.0.1:8443' for any host and port; an IPv6 "
                    + "address needs brackets")
        }
        return detour
    }
}

extension ConnectionDetour {
    init?(text: String) {
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
