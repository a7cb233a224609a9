import ReqcliDefinitions
import ReqcliText

extension CurlMapping {
    /// Adds the options about the connection. An endpoint file can express the proxy and the version of HTTP.
    ///
    /// - Returns: The options that an endpoint file can't express.
    func addConnection(to request: inout ImportedRequest) -> [CurlCommand.Unsupported] {
        var proxy: [OrderedJSON.Member] = []
        var left: [CurlCommand.Unsupported] = []
        for option in command.unsupported {
            let value = option.value?.template
            switch option.option {
            case "-x", "--proxy":
                guard var value else { continue }
                // In curl, `socks` is another name of `socks4`.
                if case .literal(let text)? = value.pieces.first, text.hasPrefix("socks://") {
                    value.pieces[0] = .literal("socks4" + text.dropFirst(5))
                }
                let parts = value.split(by: UInt8(ascii: "@"))
                let url = URLText(value)
                let address = parts.count > 1 ? url.base ?? value : value
                if let text = address.literal, ServerAddress.proxyComplaint(about: text) != nil {
                    left.append(option)
                    continue
                }
                if parts.count > 1, let credentials = url.credentials, let base = url.base {
                    proxy.set("proxy.url", .string(base.text))
                    proxy.set("proxy.user", .string(credentials.user.text))
                    proxy.set("proxy.password", .string(credentials.password.text))
                } else {
                    proxy.set("proxy.url", .string(value.text))
                }
            case "-U", "--proxy-user":
                guard let parts = value?.split(by: UInt8(ascii: ":"), atMost: 2), let user = parts.first else {
                    continue
                }
                proxy.set("proxy.user", .string(user.text))
                proxy.set("proxy.password", .string(parts.count > 1 ? parts[1].text : ""))
            case "-p", "--proxytunnel": proxy.set("proxy.tunnel", true)
            case "--proxy-digest": proxy.set("proxy.auth", "digest")
            case "--noproxy":
                guard let value else { continue }
                request.settings.set("noProxy", .string(value.text))
            case "-0", "--http1.0": request.settings.set("httpVersion", "1.0")
            case "--http1.1": request.settings.set("httpVersion", "1.1")
            case "--http2-prior-knowledge": request.settings.set("httpVersion", "2")
            // curl and reqcli use HTTP/2 for https anyway, if the server supports it.
            case "--http2" where request.base?.hasPrefix("https:") == true: continue
            default: left.append(option)
            }
        }
        guard proxy.contains(where: { $0.name == "proxy.url" }) else {
            return left + command.unsupported.filter { $0.option == "-U" || $0.option == "--proxy-user" }
        }
        request.settings += proxy
        return left
    }
}
