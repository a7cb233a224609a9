import Importing

/// The requests that `--only` takes.
struct ImportSelection {
    private let selectors: [String]

    init(_ selectors: [String]) { self.selectors = selectors }

    var isEmpty: Bool { selectors.isEmpty }

    func takes(_ request: ImportedRequest) -> Bool {
        selectors.contains { selector in
            if selector.hasPrefix("tag:") {
                let tag = selector.dropFirst(4)
                return request.tags.contains { Self.matches($0, tag) }
                    || request.folders.contains { Self.matches($0, tag) }
            }
            let parts = selector.split(separator: " ", maxSplits: 1)
            if parts.count == 2, parts[1].hasPrefix("/") {
                let path = request.path.replacing("{{", with: "{").replacing("}}", with: "}")
                return Self.matches(request.method, parts[0]) && Self.matches(path, parts[1])
            }
            return [request.key, request.name].contains { $0.map { Self.matches($0, selector[...]) } ?? false }
        }
    }

    /// Whether a text matches a pattern in which `*` stands for any text.
    private static func matches(_ text: String, _ pattern: Substring) -> Bool {
        let pieces = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard let first = pieces.first, let last = pieces.last, pieces.count > 1 else { return text == pattern }
        guard text.hasPrefix(first) else { return false }
        var rest = text.dropFirst(first.count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let found = rest.firstRange(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}
