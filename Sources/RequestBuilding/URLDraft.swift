import Foundation

/// The URL while its operators run. `components` is the one truth; the rest remembers how the path came about, so
/// that a base path given late still goes before a relative path given early.
struct URLDraft {
    var components: URLComponents
    private var basePath: String
    private var ownPath: String?

    /// Both paths are percent-encoded.
    init(components: URLComponents = URLComponents()) {
        self.components = components
        self.basePath = components.percentEncodedPath
    }

    mutating func setBasePath(_ path: String) {
        basePath = path.isEmpty || path.hasPrefix("/") ? path : "/" + path
        joinPath()
    }

    mutating func setPath(_ path: String) {
        ownPath = path
        joinPath()
    }

    /// Runs a change from outside and takes over what it did to the path.
    mutating func modify(_ change: (inout URLComponents) throws -> Void) rethrows {
        let before = components.percentEncodedPath
        try change(&components)
        let after = components.percentEncodedPath
        guard after != before else { return }
        // A URL with a host needs the slash; without it Foundation makes no URL at all.
        ownPath = after.hasPrefix("/") ? after : "/" + after
        joinPath()
    }

    private mutating func joinPath() {
        components.percentEncodedPath = Self.join(base: basePath, path: ownPath)
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
    /// The names and values as they stand in the URL, percent-encoded.
    private var items: [URLQueryItem] {
        get { components.percentEncodedQueryItems ?? [] }
        // An empty list would leave a lone "?".
        set { components.percentEncodedQueryItems = newValue.isEmpty ? nil : newValue }
    }

    mutating func addQueryItems(_ added: [URLQueryItem]) {
        items += added.map(Self.encoded)
    }

    /// Replaces all items of a name. The new ones stand where the first old one stood, else at the end.
    mutating func setQueryItem(_ name: String, _ values: [String]) {
        var items = items
        let first = items.firstIndex { Self.isNamed(name, $0) } ?? items.endIndex
        items.removeAll { Self.isNamed(name, $0) }
        items.insert(contentsOf: values.map { Self.encoded(URLQueryItem(name: name, value: $0)) }, at: first)
        self.items = items
    }

    mutating func removeQueryItem(_ name: String) {
        items.removeAll { Self.isNamed(name, $0) }
    }

    private static func encoded(_ item: URLQueryItem) -> URLQueryItem {
        URLQueryItem(
            name: PercentEncoding.queryComponent(item.name), value: item.value.map(PercentEncoding.queryComponent))
    }

    private static func isNamed(_ name: String, _ item: URLQueryItem) -> Bool {
        PercentEncoding.decoded(item.name).utf8.elementsEqual(name.utf8)
    }
}
