import ReqcliText
@_spi(Generated) package import RequestBuilding

/// The request properties that one layer sets. Layers are environments, a group's `defaults`, endpoints, and the part
/// of an endpoint for one environment. Nil or an empty list means that the layer doesn't set the property.
package struct RequestLayer: Sendable {
    package var baseURL: Setting<TextTemplate>?
    package var scheme: Setting<Scheme>?
    package var host: Setting<TextTemplate>?
    package var port: Setting<ValueTemplate>?
    package var basePath: Setting<TextTemplate>?
    package var headers: [Named<Setting<[ValueTemplate]>>] = []
    package var query: Setting<QueryTemplate>?
    package var cachePolicy: Setting<CachePolicy>?
    package var timeout: Setting<TransferLayer>?
    package var auth: Setting<Auth>?
    package var retry: Setting<TransferLayer>?
    package var redirects: Setting<TransferLayer>?
    package var tls: Setting<TransferLayer>?
    /// The transfer settings that are keys of the layer itself, and not of an object such as `timeout`.
    package var transfer = TransferLayer()
    package var proxy: Setting<ProxyTemplate>?
    package var noProxy: Setting<[ValueTemplate]>?

    /// The layer with only what leads to a server: no headers, query items or credentials.
    package var server: RequestLayer {
        var layer = self
        (layer.headers, layer.query, layer.auth) = ([], nil, nil)
        return layer
    }
}

package enum Scheme: String, CaseIterable, Sendable {
    case http
    case https
}

extension RequestLayer {
    /// The keys that every layer accepts.
    static let fields = ownFields + transferFields + proxyFields

    private static let ownFields: [Field<RequestLayer>] = [
        Field(
            "baseURL", .setting(.baseURL),
            "The base URL: scheme, host, port and base path in one, such as \"http://localhost:8080/api\"."
        ) { $0.baseURL = $1 },
        Field("scheme", .setting(Shape<Scheme>.word), "How to reach the server: http or https.") { $0.scheme = $1 },
        Field("host", .setting(.host), "The server's name or address; IPv6 in brackets.") {
            $0.host = $1
        },
        Field("port", .setting(.port), "The server's port, if it is not the default port of the scheme.") {
            $0.port = $1
        },
        Field("basePath", .setting(.basePath), "The first part of every path that doesn't begin with \"/\".") {
            $0.basePath = $1
        },
        Field(
            "headers",
            .dictionary(
                of: .setting(.fieldValues), keys: .headerName, ignoringCase: true,
                expects: "an object of header names and values"),
            "Headers by name: a value, a list (the header repeats), \"\" (sent empty) or null (not sent)."
        ) { $0.headers = $1 },
        Field(
            "query", .setting(.query),
            "Query items by name: a value, a list (the item repeats) or null (not sent). Or the whole query as text, which is sent byte for byte and replaces the query of earlier layers."
        ) { $0.query = $1 },
        Field(
            "timeout", .setting(.timeouts), "The time limit for the whole exchange, or a limit for each of its stages."
        ) {
            $0.timeout = $1
        },
        Field("cachePolicy", .setting(Shape<CachePolicy>.word), "The cache policy of the request, as in Foundation.") {
            $0.cachePolicy = $1
        },
        Field(
            "auth", .setting(Auth.table.shape.map { $0 }),
            "The credentials of the request; null for none."
        ) { $0.auth = $1 },
        Field("retry", .setting(TransferLayer.retry.shape), "When to retry.") { $0.retry = $1 },
        Field("redirects", .setting(TransferLayer.redirects.shape), "Whether to follow redirects, and how many.") {
            $0.redirects = $1
        },
        Field("tls", .setting(TransferLayer.tls.shape), "Certificates and versions for https.") { $0.tls = $1 },
    ]

    private static let transferFields = TransferRow.layer.compactMap(\.field).map { field in
        field.lifted { (layer: inout RequestLayer, change) in change(&layer.transfer) }
    }

    private static let proxyFields: [Field<RequestLayer>] = [
        Field(
            "proxy", .setting(.proxy),
            "The proxy that requests go through. It replaces http_proxy and similar variables. null or \"\" means no proxy."
        ) { $0.proxy = $1 },
        Field(
            "noProxy", .setting(.fieldValues),
            "Hosts that are reached without the proxy: host names (with their subdomains), addresses, networks such as \"10.0.0.0/8\", or \"*\" for all hosts."
        ) { $0.noProxy = $1 },
    ]

    /// The keys of the settings, which are all keys but those of headers and query items.
    package static let settingKeys = fields.map(\.name).filter { !["headers", "query"].contains($0) }

    /// The keys that say how a request is carried. They don't depend on the server or on the endpoint.
    package static let carryingKeys =
        ["timeout", "retry", "redirects", "tls"] + (transferFields + proxyFields).map(\.name)

    /// The rules about keys that exclude each other, because they set the same part of the URL.
    static let rules: [KeySetRule] = [.excludes("baseURL", ["scheme", "host", "port", "basePath"])]

}

extension Shape where Value == [ValueTemplate] {
    /// The value of a header or a query item.
    static let fieldValues = oneOrMore(.scalarValue)
}

extension Shape where Value == ValueTemplate {
    static let port = Shape(
        expects: "a port from 1 to 65535, or a placeholder",
        schema: .either([.integer(1...65535), .text(pattern: "\\{\\{")])
    ) { value, decoding in
        if value.kind == .string {
            guard let template = TextTemplate.decode(value, &decoding) else { return nil }
            if template.literal == nil { return .text(template) }
            decoding.mismatch(value, expects: "a port from 1 to 65535", hint: "write it without quotes")
            return nil
        }
        return Shape<Int>.integer(1...65535).decode(value, &decoding).map { .scalar(.int($0), at: value.place) }
    }
}

extension Shape where Value == TextTemplate {
    fileprivate static let baseURL = template.checked(expects: "a URL such as \"http://localhost:8080/api\"") {
        template, value in
        template.literal.flatMap(ServerAddress.complaint).map {
            Complaint(.valueInvalid, "\"baseURL\" \($0); found \(value.shortDescription)")
        }
    }

    fileprivate static let host = template.checked(expects: "a host name or address") { template, value in
        guard let text = template.literal, !ServerAddress.isHost(text) else { return nil }
        return Complaint(
            .valueInvalid, "\"host\" takes only a host name or address; found \(value.shortDescription)",
            hint: ServerAddress.isHost("[\(text)]")
                ? "write it in brackets: \"[\(text)]\""
                : "scheme, port and path have their own keys; or use \"baseURL\" for all of them")
    }

    fileprivate static let basePath = template.checked(expects: "a path") { template, value in
        PathTemplate.complaint(about: template, key: "basePath", value)
    }
}
