public import Foundation
import ReqcliBasics

extension RequestBuilder {
    /// Sets the scheme: http or https.
    public func scheme(_ scheme: String) -> RequestBuilder {
        appending("scheme", .scheme, value: scheme, .url { $0.setScheme(try Self.checkedScheme(scheme)) })
    }

    /// Sets the host: a name in any script, or an address. An IPv6 address may have brackets.
    public func host(_ host: String) -> RequestBuilder {
        appending("host", .host, value: host, .url { $0.setHost(try HostName.normalized(host)) })
    }

    /// Sets the port; nil means the scheme's default.
    public func port(_ port: Int?) -> RequestBuilder {
        appending(
            "port", .port, port == nil ? .removes : .sets, value: port.map(String.init),
            .url { $0.setPort(try port.map(Self.checkedPort)) })
    }

    /// Sets the base path, such as "/api". Relative paths are added below the base path. An empty string removes it.
    public func basePath(_ path: String) -> RequestBuilder {
        appending(
            "basePath", .basePath, path.isEmpty ? .removes : .sets, value: path.isEmpty ? nil : path,
            .url { $0.setBasePath(PercentEncoding.path(path)) })
    }

    /// Sets scheme, host, port and base path from one string such as "http://localhost:8080/api".
    ///
    /// The query and path of other operators are kept. If the string is not a base URL, ``makeRequest(baseURL:)`` throws an error.
    public func baseURL(_ text: String) -> RequestBuilder {
        let parts = Result { try BaseURL(text) }
        guard let base = try? parts.get() else {
            return appending("baseURL", .host, value: text, .url { _ in _ = try parts.get() })
        }
        let parted: [(RequestSubject, String?, RequestOperator.Step)] = [
            (.scheme, base.scheme, .url { $0.setScheme(base.scheme) }),
            (.host, base.host, .url { $0.setHost(base.host) }),
            (.port, base.port.map(String.init), .url { $0.setPort(base.port) }),
            (.basePath, base.path.isEmpty ? nil : base.path, .url { $0.setBasePath(base.path) }),
        ]
        return parted.reduce(self) { builder, part in
            builder.appending("baseURL", part.0, part.1 == nil ? .removes : .sets, value: part.1, part.2)
        }
    }

    /// Sets scheme, host, port and base path from a URL.
    public func baseURL(_ url: URL) -> RequestBuilder {
        baseURL(url.absoluteString)
    }

    /// Sets the path below the base path.
    ///
    /// The string is only a path: slashes and existing escapes keep their meaning, and all characters that are not allowed in a
    /// path are encoded, including `?` and `#`. For a value from outside, use ``path(segments:)`` or
    /// ``PercentEncoding/segment(_:)``.
    ///
    /// ```swift
    /// // below https://example.com/api/
    /// builder.path("users/é")           // /api/users/%C3%A9
    /// builder.path(fromRoot: "a%2Fb")   // /a%2Fb
    /// ```
    ///
    /// A leading slash would be a mistake if the base has a path. Then ``makeRequest(baseURL:)`` throws an error.
    public func path(_ path: String) -> RequestBuilder {
        appending("path", .path, value: path, .url { $0.setPath(belowBase: path, from: origin) })
    }

    /// Sets the whole path of the URL. The base path is dropped.
    public func path(fromRoot path: String) -> RequestBuilder {
        self.path(written: path.hasPrefix("/") ? path : "/" + path)
    }

    /// Sets the path as files and flags write it: below the base path, or with a leading slash, which drops the base path.
    package func path(written path: String) -> RequestBuilder {
        appending("path", .path, value: path, .url { $0.setPath(PercentEncoding.path(path)) })
    }

    /// Sets the path below the base path from segments. Nil segments are left out. Slashes in a segment are encoded, so that each
    /// value stays one segment.
    ///
    /// ```swift
    /// builder.path(segments: ["v1", "employee", id])  // id nil: v1/employee; id "a/b": v1/employee/a%2Fb
    /// ```
    public func path(segments: [String?]) -> RequestBuilder {
        let present = segments.compactMap(\.self)
        let path = present.map(PercentEncoding.segment).joined(separator: "/")
        return appending(
            "path(segments:)", .path, value: path,
            .url { draft in
                if let index = segments.firstIndex(of: "") {
                    throw StepFailure(
                        .invalidPath, "segment \(index + 1) is empty, which would double a slash; nil leaves it out")
                }
                draft.setPath(path)
            })
    }

    /// Adds one segment to the path that earlier operators set. Slashes in the value are encoded, so that it stays one segment.
    public func addingPathSegment(_ segment: String) -> RequestBuilder {
        let encoded = PercentEncoding.segment(segment)
        return appending(
            "addingPathSegment", .path, .adds, value: encoded,
            .url { draft in
                if segment.isEmpty {
                    throw StepFailure(.invalidPath, "the segment is empty, which would double a slash")
                }
                draft.addPathSegment(encoded)
            })
    }
}

extension RequestBuilder {
    static func checkedScheme(_ scheme: String) throws -> String {
        let lowercased = scheme.asciiLowercased
        guard lowercased == "http" || lowercased == "https" else {
            throw StepFailure(.invalidScheme, "\(quoted(scheme)) is not a scheme for a request: use http or https")
        }
        return lowercased
    }

    static func checkedPort(_ port: Int) throws -> Int {
        guard (1...65535).contains(port) else {
            throw StepFailure(.invalidPort, "\(port) is not a port: expected 1 to 65535")
        }
        return port
    }
}

extension BaseURL {
    /// The text after the host that should be a port and has other characters than digits. Nil for a URL with an account.
    fileprivate static func wrongPort(in text: String) -> String? {
        guard let start = text.firstRange(of: "://")?.upperBound else { return nil }
        let authority = text[start...].utf8.prefix {
            ![UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0)
        }
        guard !authority.contains(where: { [UInt8(ascii: "@"), UInt8(ascii: "["), UInt8(ascii: "{")].contains($0) }),
            let colon = authority.lastIndex(of: UInt8(ascii: ":"))
        else { return nil }
        let port = authority[authority.index(after: colon)...]
        return port.allSatisfy(\.isDigit) ? nil : String(Substring(port))
    }
}

/// The parts of a valid base URL.
struct BaseURL {
    let scheme: String
    let host: String
    let port: Int?
    /// The path, percent-encoded.
    let path: String

    init(_ text: String) throws {
        if let port = Self.wrongPort(in: text) {
            throw StepFailure(.invalidBaseURL, "\(quoted(port)) is not a port: expected 1 to 65535")
        }
        if text.hasSuffix("://") {
            throw StepFailure(.invalidBaseURL, "\(quoted(text)) has no host: expected e.g. https://example.com/api")
        }
        // Foundation's parser would percent-encode whitespace in the host instead of rejecting it.
        guard let components = URLComponents(string: text), let scheme = components.scheme,
            let host = components.host, !host.isEmpty
        else {
            throw StepFailure(
                .invalidBaseURL, "\(quoted(text)) is not a base URL: expected e.g. https://example.com/api")
        }
        if components.user != nil || components.password != nil {
            throw StepFailure(
                .invalidBaseURL, "a base URL can't carry a user name or a password: set the authorization instead")
        }
        if components.query != nil || components.fragment != nil {
            throw StepFailure(
                .invalidBaseURL, "\(quoted(text)) has a query or a fragment: a base URL ends with its path")
        }
        self.scheme = try RequestBuilder.checkedScheme(scheme)
        self.host = try HostName.normalized(components.encodedHost ?? host)
        self.port = try components.port.map(RequestBuilder.checkedPort)
        self.path = components.percentEncodedPath
    }
}
