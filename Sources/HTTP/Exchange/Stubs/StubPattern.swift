import Foundation
public import RequestBuilding

/// The requests that a stub is for.
///
/// ```swift
/// let one: StubPattern = "todos/{id}"
/// let page: StubPattern = "todos?page=2&done={done}"
/// let creation = StubPattern("todos", method: .post, host: "api.example.com")
/// let feed = StubPattern.named("user.feed")
/// ```
///
/// - The path is the end of the URL's path, in whole segments: `todos` matches `/v1/todos`, but not `/mytodos`.
/// - A placeholder such as `{id}` matches a segment, or a part of one, that is not empty.
/// - Query items match in any order. The request may have others.
/// - Path and query are compared decoded: `straße` and `stra%C3%9Fe` are equal. `%2F` is not a slash.
/// - A part that the pattern does not mention may have any value.
///
/// A request gets the most specific pattern that matches. A pattern with a name comes first. Then patterns are compared by these
/// properties, in this order: the literal segments of the path, the length of the path, the query items, a host, a method. Among
/// equally specific patterns, the last one added is used.
public struct StubPattern: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    /// The `PreparedRequest.name` that a request must have; nil for any.
    let name: String?
    private let method: HTTPMethod?
    private let host: String?
    private let path: String
    /// The segments of the path; nil for any path.
    private let segments: [Template]?
    /// The query items. Items without a placeholder are compared first. Otherwise a placeholder could use up a query item that
    /// another item of the pattern needs.
    private let query: [QueryItem]

    private struct QueryItem: Hashable {
        let name: String
        let value: Template
    }

    /// Requests that match all given parts.
    ///
    /// - Parameters:
    ///   - path: The end of the path, and query items after `?`.
    ///   - method: The method.
    ///   - host: The host, or `host:port`.
    ///   - name: The name that the caller gave the request, as with `RequestBuilder.named(_:)`.
    public init(_ path: String = "", method: HTTPMethod? = nil, host: String? = nil, name: String? = nil) {
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let start = parts.first ?? ""
        self.name = name
        self.method = method
        self.host = host?.lowercased()
        self.path = path
        segments =
            start.isEmpty ? nil : Self.segments(start.hasPrefix("/") ? start.dropFirst() : start).map(Template.init)
        query = (parts.count > 1 ? Self.items(parts[1]) : [])
            .map { QueryItem(name: PercentEncoding.decoded($0.name), value: Template($0.value)) }
            .sorted { $0.value.weight > $1.value.weight }
    }

    /// Requests whose URL has a path that ends with this path; see ``init(_:method:host:name:)``.
    public init(stringLiteral path: String) {
        self.init(path)
    }

    /// All requests.
    public static let any = StubPattern()

    /// Requests with this name; see ``init(_:method:host:name:)``. A request that follows a redirect keeps its name.
    public static func named(_ name: String) -> StubPattern {
        StubPattern(name: name)
    }

    /// The pattern as messages show it.
    public var description: String {
        let place = host.map { path.isEmpty || path.hasPrefix("/") ? $0 + path : "\($0)/\(path)" } ?? path
        let parts = [name, method?.token, place.isEmpty ? nil : place].compactMap(\.self)
        return parts.isEmpty ? "the rest" : parts.joined(separator: " ")
    }
}

// MARK: - Comparing

extension StubPattern {
    /// The weight of the pattern. Of all patterns that match, the most specific one has the largest weight and is used.
    var weight: (Int, Int, Int, Int, Int) {
        let segments = segments ?? []
        return (
            segments.reduce(0) { $0 + $1.weight }, segments.count, query.reduce(0) { $0 + 1 + $1.value.weight },
            host == nil ? 0 : 1, method == nil ? 0 : 1
        )
    }

    package func fits(_ request: PreparedRequest) -> Bool {
        if let name, name != request.name { return false }
        if let method, method != request.method { return false }
        let url = request.url
        if let host, host != url.host?.lowercased(), host != url.authority.lowercased() { return false }
        return fitsPath(of: url) && fitsQuery(of: url)
    }

    private func fitsPath(of url: URL) -> Bool {
        guard let segments else { return true }
        let found = Self.segments(url.path(percentEncoded: true)[...])
        return found.count >= segments.count
            && zip(segments, found.suffix(segments.count)).allSatisfy { $0.fits(PercentEncoding.decoded($1)) }
    }

    private func fitsQuery(of url: URL) -> Bool {
        if query.isEmpty { return true }
        var found = Self.items((url.query(percentEncoded: true) ?? "")[...])
            .map { (PercentEncoding.decoded($0.name), PercentEncoding.decoded($0.value)) }
        return query.allSatisfy { item in
            guard let index = found.firstIndex(where: { $0 == item.name && item.value.fits($1) }) else { return false }
            found.remove(at: index)
            return true
        }
    }

    private static func segments(_ path: Substring) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }

    private static func items(_ query: Substring) -> [(name: Substring, value: Substring)] {
        query.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
    }
}

/// A literal string, or a placeholder with literal text before and after it.
private struct Template: Hashable {
    private let start: String
    /// The text after the placeholder; nil without one.
    private let end: String?

    init(_ text: Substring) {
        if let open = text.firstIndex(of: "{"), let close = text.lastIndex(of: "}"), open < close {
            start = PercentEncoding.decoded(text[..<open])
            end = PercentEncoding.decoded(text[close...].dropFirst())
        } else {
            start = PercentEncoding.decoded(text)
            end = nil
        }
    }

    /// The weight of the template: 2 for literal text, 1 for text with a placeholder, 0 for a placeholder alone.
    var weight: Int { end.map { start.isEmpty && $0.isEmpty ? 0 : 1 } ?? 2 }

    func fits(_ text: String) -> Bool {
        guard let end else { return text == start }
        return text.utf8.count > start.utf8.count + end.utf8.count && text.hasPrefix(start) && text.hasSuffix(end)
    }
}
