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
            // An empty list would leave a "?" at the end.
            components.percentEncodedQueryItems = query.items.isEmpty ? nil : query.items
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

    /// Runs a closure on the components and records its change to the path.
    mutating func modify(_ change: (inout URLComponents) throws -> Void) rethrows {
        let before = stored.percentEncodedPath
        try change(&components)
        let after = stored.percentEncodedPath
        guard after != before else { return }
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
        query = QueryDraft([])
        addQueryItems(items)
    }

    mutating func addQueryItems(_ added: [URLQueryItem]) {
        changeQuery { query in
            for item in added { query.add(item) }
        }
    }

    mutating func addEncodedQueryItems(_ added: [URLQueryItem]) {
        changeQuery { $0.addEncoded(added) }
    }

    mutating func setQueryItem(_ name: String, _ values: [String]) {
        changeQuery { $0.set(name, values) }
    }

    mutating func removeQueryItem(_ name: String) {
        changeQuery { $0.remove(name) }
    }

    private mutating func changeQuery(_ change: (inout QueryDraft) -> Void) {
        var draft = query.take() ?? QueryDraft(stored.percentEncodedQueryItems ?? [])
        change(&draft)
        query = draft
    }
}

/// The items of a query, indexed by name.
private struct QueryDraft {
    /// The percent-encoded items; those that one operator set share a slot.
    private var slots: [[URLQueryItem]] = []
    /// The slots of each name, by its encoded form, so that bytes are compared and not characters.
    private var places: [String: [Int]] = [:]

    init(_ items: [URLQueryItem]) {
        addEncoded(items)
    }

    mutating func addEncoded(_ items: [URLQueryItem]) {
        for item in items { append([item], named: PercentEncoding.queryComponent(PercentEncoding.decoded(item.name))) }
    }

    var items: [URLQueryItem] { slots.flatMap(\.self) }

    mutating func add(_ item: URLQueryItem) {
        let name = PercentEncoding.queryComponent(item.name)
        append([URLQueryItem(name: name, value: item.value.map(PercentEncoding.queryComponent))], named: name)
    }

    /// Replaces all items of a name in the place of the first one, or else at the end. No values removes them.
    mutating func set(_ name: String, _ values: [String]) {
        if values.isEmpty { return remove(name) }
        let name = PercentEncoding.queryComponent(name)
        let items = values.map { URLQueryItem(name: name, value: PercentEncoding.queryComponent($0)) }
        guard let old = places[name], let first = old.first else { return append(items, named: name) }
        for place in old { slots[place] = [] }
        slots[first] = items
        places[name] = [first]
    }

    mutating func remove(_ name: String) {
        for place in places.removeValue(forKey: PercentEncoding.queryComponent(name)) ?? [] { slots[place] = [] }
    }

    private mutating func append(_ items: [URLQueryItem], named name: String) {
        places[name, default: []].append(slots.count)
        slots.append(items)
    }
}
