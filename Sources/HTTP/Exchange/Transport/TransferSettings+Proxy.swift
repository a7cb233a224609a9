package import Foundation
import ReqcliBasics
package import RequestBuilding

extension TransferSettings {
    /// The proxy that a request goes through; nil for none.
    package func proxy(for url: URL) -> String? {
        let proxy = url.scheme?.lowercased() == "https" ? proxies.https : proxies.http
        guard let proxy, !proxy.isEmpty, unixSocket == nil, !proxies.excepts(url.host ?? "") else { return nil }
        return proxy
    }

    /// The account for Digest challenges of a proxy that is used without a tunnel; nil if there is none. With a tunnel, libcurl
    /// itself responds to the challenges.
    func digestAccountOfProxy(for url: URL) -> Account? {
        guard proxies.usesDigest, !proxies.isTunnel, url.scheme?.lowercased() == "http", let proxy = proxy(for: url),
            !proxy.lowercased().hasPrefix("socks")
        else { return nil }
        return proxies.account ?? Account(inProxy: proxy)
    }
}

extension Account {
    /// The account in the URL of a proxy. The URL may have no scheme.
    fileprivate init?(inProxy proxy: String) {
        let parts = URLComponents(string: proxy.contains("://") ? proxy : "http://\(proxy)")
        guard let parts, let user = parts.user else { return nil }
        self.init(user: user, password: parts.password ?? "")
    }
}

extension ProxySettings {
    /// Whether a host is reached without a proxy, by the rules of libcurl. An exception is a name (with all names below it), an
    /// address, or a network.
    fileprivate func excepts(_ host: String) -> Bool {
        guard let exceptions else { return false }
        if exceptions == "*" { return true }
        let host = Self.bare(host.lowercased())
        let address = Self.address(host)
        return exceptions.lowercased().split { ", \t".contains($0) }.contains { entry in
            if let address { return Self.isNetwork(entry, with: address) }
            let name = Self.bare(String(entry.hasPrefix(".") ? entry.dropFirst() : entry))
            return !name.isEmpty && (host == name || host.hasSuffix(".\(name)"))
        }
    }

    /// The host without the brackets of an address, and without the dot at the end of a name.
    private static func bare(_ host: String) -> String {
        if host.hasPrefix("["), host.hasSuffix("]") { return String(host.dropFirst().dropLast()) }
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    private static func isNetwork(_ entry: Substring, with address: [UInt8]) -> Bool {
        let parts = entry.split(separator: "/", maxSplits: 1)
        // If the number of bits is missing or 0, all bits are compared.
        let given = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
        let bits = given == 0 ? address.count * 8 : given
        guard let network = parts.first.flatMap({ Self.address(bare(String($0))) }), network.count == address.count,
            (0...(address.count * 8)).contains(bits)
        else { return false }
        return zip(network, address).enumerated().allSatisfy { index, bytes in
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> min(8, max(0, bits - index * 8)))
            return bytes.0 & mask == bytes.1 & mask
        }
    }

    /// The bytes of an IP address.
    private static func address(_ text: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }
}
