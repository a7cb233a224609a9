import Foundation

/// The URL while its operators run. `components` holds the URL. The other properties record how the path was set, so
/// that a base path that is set late still comes before a relative path that was set early.
struct URLDraft {
    private var stored: URLComponents
    /// The query, if it is not yet part of `stored`. Adding items there one by one would copy the whole query for each
    /// item.
    private var query: QueryDraft?
    private var basePath: String
    private var ownPath: String?

    /// A draft from a URL's components. Both paths are stored percent-encoded.
    init(components: URLComponents = URLComponents()) {
        stored = components
        self.basePath = components.percentEncodedPath
    }

    var components: URLComponents {
        get {
            guard let query else { return stored }
            var components = stored
            // An empty query would leave a "?" at the end.
            components.percentEncodedQuery = query.text.isEmpty ? nil : query.text
            return components
        }
        set {
            stored = newValue
            query = nil
        }
    }

    mutating func setBasePath(_ path: String) {
        basePath = path.isEmpty || path.hasPrefix("/") ? path : "/" + path
        joinPath()
    }

    mutating func setPath(_ path: String) {
        ownPath = path
        joinPath()
    }

    /// Runs a closure on the components and records its changes to the path and the query.
    mutating func modify(_ change: (inout URLComponents) throws -> Void) rethrows {
        let before = components
        var changed = before
        try change(&changed)
        stored = changed
        if changed.percentEncodedQuery != before.percentEncodedQuery {
            stored.percentEncodedQuery = changed.percentEncodedQuery.map(PercentEncoding.normalized)
            query = nil
        }
        let after = stored.percentEncodedPath
        guard after != before.percentEncodedPath else { return }
        // A URL with a host needs the slash. Without it Foundation makes no URL.
        ownPath = after.hasPrefix("/") ? after : "/" + after
        joinPath()
    }

    private mutating func joinPath() {
        stored.percentEncodedPath = Self.join(base: basePath, path: ownPath)
    }

    static func join(base: String, path: String?) -> String {
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

    /// Replaces the whole query by an encoded text, in which no later change finds an item.
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

    /// Sets an item, and finds the old one in a raw text, too.
    mutating func replaceQueryItem(_ name: String, _ value: String) {
        components = components
        setQueryItem(name, [value])
    }

    mutating func removeQueryItem(_ name: String) {
        changeQuery { $0.remove(name) }
    }

    private mutating func changeQuery(_ change: (inout QueryDraft) -> Void) {
        var draft = query.take() ?? QueryDraft(stored.percentEncodedQuery)
        change(&draft)
        query = draft
    }
}

/// The items of a query, indexed by name.
private struct QueryDraft {
    /// Percent-encoded texts such as `name=value`; those that one operator set share a slot.
    private var slots: [[String]] = []
    /// The slots of each name, by its encoded form, so that bytes are compared and not characters.
    private var places: [String: [Int]] = [:]

    init(_ encoded: String? = nil) {
        if let encoded, !encoded.isEmpty { addEncoded(encoded) }
    }

    var text: String { slots.joined().joined(separator: "&") }

    mutating func addEncoded(_ text: String) {
        for item in text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            let name = item.prefix { $0 != UInt8(ascii: "=") }
            append([String(Substring(item))], named: Self.encoded(PercentEncoding.decoded(Substring(name))))
        }
    }

    /// Adds a text without a name, which stays as it is.
    mutating func addRaw(_ text: String) {
        if !text.isEmpty { slots.append([text]) }
    }

    mutating func add(_ item: URLQueryItem) {
        let name = Self.encoded(item.name)
        append([item.value.map { "\(name)=\(Self.encoded($0))" } ?? name], named: name)
    }

    /// Replaces all items of a name in the place of the first one, or else at the end. No values removes them.
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
