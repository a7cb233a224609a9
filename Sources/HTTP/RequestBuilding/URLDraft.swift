import Foundation
import ReqcliBasics

/// The URL while its operators run. `basePath` and `ownPath` record how the path was set, so that a base path that is set late
/// still comes before a relative path that was set early.
package struct URLDraft {
    /// The components, perhaps without the query.
    private var parts: URLComponents
    /// The query, if it is not yet part of `parts`. Adding items there one by one would copy the whole query for each item.
    private var query: QueryDraft?
    private var basePath: String
    private var ownPath: String?
    /// The path as it was written, and the origin of its operator, if its leading slash may be there by mistake.
    private(set) var doubtfulPath: (text: String, origin: Origin?)?

    /// - Parameter components: The URL before the first operator.
    init(components: URLComponents = URLComponents()) {
        parts = components
        basePath = components.percentEncodedPath
    }

    var components: URLComponents {
        get {
            guard let query else { return parts }
            var components = parts
            // An empty query would leave a "?" at the end.
            components.percentEncodedQuery = query.text.isEmpty ? nil : query.text
            return components
        }
        set {
            parts = newValue
            query = nil
        }
    }

    /// - Parameter scheme: A scheme that was checked.
    mutating func setScheme(_ scheme: String) { parts.scheme = scheme }

    /// - Parameter host: A host in the form for a URL.
    mutating func setHost(_ host: String) { parts.host = host }

    /// - Parameter port: A port that was checked.
    mutating func setPort(_ port: Int?) { parts.port = port }

    mutating func setBasePath(_ path: String) {
        basePath = path.isEmpty || path.hasPrefix("/") ? path : "/" + path
        joinPath()
    }

    mutating func setPath(_ path: String) {
        ownPath = path
        doubtfulPath = nil
        joinPath()
    }

    /// Sets a path that belongs below the base path.
    ///
    /// - Parameter text: The path as it was written.
    mutating func setPath(belowBase text: String, from origin: Origin?) {
        setPath(PercentEncoding.path(text))
        if text.hasPrefix("/") { doubtfulPath = (text, origin) }
    }

    /// Adds a percent-encoded segment at the end of the path.
    mutating func addPathSegment(_ segment: String) {
        let doubtful = doubtfulPath
        modify { $0.percentEncodedPath = Self.join(base: $0.percentEncodedPath, path: segment) }
        doubtfulPath = doubtful
    }

    /// The reason why the path can't be told apart from one that drops the base path.
    var pathProblem: String? {
        guard let doubtfulPath, basePath.contains(where: { $0 != "/" }) else { return nil }
        let rest = String(doubtfulPath.text.drop { $0 == "/" })
        return "\(quoted(doubtfulPath.text)) begins with a slash, but the base has a path, \(quoted(basePath)): "
            + "write path(\(quoted(rest))) for a path below it, or path(fromRoot: \(quoted(rest))) to drop it"
    }

    /// Runs a closure on the components and records its changes to the path and the query.
    mutating func modify(_ change: (inout URLComponents) throws -> Void) rethrows {
        let before = components
        var after = before
        try change(&after)
        if after.percentEncodedQuery != before.percentEncodedQuery {
            after.percentEncodedQuery = after.percentEncodedQuery.map(PercentEncoding.normalized)
            query = nil
        }
        parts = after
        let path = after.percentEncodedPath
        guard path != before.percentEncodedPath else { return }
        // In a URL with a host, the path must begin with a slash. Otherwise Foundation makes no URL.
        setPath(path.hasPrefix("/") ? path : "/" + path)
    }

    private mutating func joinPath() {
        parts.percentEncodedPath = Self.join(base: basePath, path: ownPath)
    }

    /// A path below a base path. A path that begins with a slash replaces the base path.
    package static func join(base: String, path: String?) -> String {
        guard let path, !path.isEmpty else { return base }
        if path.hasPrefix("/") { return path }
        var base = Substring(base)
        while base.utf8.last == UInt8(ascii: "/") { base.removeLast() }
        return "\(base)/\(path)"
    }
}

// MARK: - Query

extension URLDraft {
    mutating func setQuery(_ items: [URLQueryItem]) {
        query = QueryDraft()
        addQueryItems(items)
    }

    /// Replaces the whole query by an encoded string. Later changes find no items in this string.
    mutating func setRawQuery(_ text: String) {
        query = QueryDraft()
        changeQuery { $0.addRaw(text) }
    }

    mutating func addQueryItems(_ added: [URLQueryItem]) {
        changeQuery { query in
            for item in added { query.add(item) }
        }
    }

    mutating func addEncodedQuery(_ text: String) {
        changeQuery { $0.addEncoded(text) }
    }

    mutating func setQueryItem(_ name: String, _ values: [String]) {
        changeQuery { $0.set(name, values) }
    }

    /// Sets an item. This also replaces an item of the same name in a raw query.
    mutating func replaceQueryItem(_ name: String, _ value: String) {
        components = components
        setQueryItem(name, [value])
    }

    mutating func removeQueryItem(_ name: String) {
        changeQuery { $0.remove(name) }
    }

    private mutating func changeQuery(_ change: (inout QueryDraft) -> Void) {
        var draft = query.take() ?? QueryDraft(parts.percentEncodedQuery)
        change(&draft)
        query = draft
    }
}

/// The items of a query, indexed by name.
private struct QueryDraft {
    /// Percent-encoded items such as `name=value`. All items that one operator set are in one slot.
    private var slots: [[String]] = []
    /// The slots of each name. The keys are encoded names, so that bytes are compared and not characters.
    private var places: [String: [Int]] = [:]

    init(_ encoded: String? = nil) {
        if let encoded, !encoded.isEmpty { addEncoded(encoded) }
    }

    var text: String { slots.flatMap(\.self).joined(separator: "&") }

    mutating func addEncoded(_ text: String) {
        for item in text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            let name = item.prefix { $0 != UInt8(ascii: "=") }
            append([String(Substring(item))], named: Self.encoded(PercentEncoding.decoded(Substring(name))))
        }
    }

    /// Adds a string without a name, which later changes leave unchanged.
    mutating func addRaw(_ text: String) {
        if !text.isEmpty { slots.append([text]) }
    }

    mutating func add(_ item: URLQueryItem) {
        let name = Self.encoded(item.name)
        append([item.value.map { "\(name)=\(Self.encoded($0))" } ?? name], named: name)
    }

    /// Replaces all items of a name. The new items take the position of the first old item, or the end if there was none. An empty
    /// list removes the items.
    mutating func set(_ name: String, _ values: [String]) {
        if values.isEmpty { return remove(name) }
        let name = Self.encoded(name)
        let items = values.map { "\(name)=\(Self.encoded($0))" }
        guard let old = places[name], let first = old.first else { return append(items, named: name) }
        for place in old { slots[place] = [] }
        slots[first] = items
        places[name] = [first]
    }

    mutating func remove(_ name: String) {
        for place in places.removeValue(forKey: Self.encoded(name)) ?? [] { slots[place] = [] }
    }

    private mutating func append(_ items: [String], named name: String) {
        places[name, default: []].append(slots.count)
        slots.append(items)
    }

    private static func encoded(_ text: String) -> String { PercentEncoding.queryComponent(text) }
}
