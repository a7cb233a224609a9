import Importing
import ReqcliBasics
import ReqcliText

/// The requests that `--only` takes.
struct ImportSelection {
    private let selectors: [String]

    init(_ selectors: [String]) { self.selectors = selectors }

    var isEmpty: Bool { selectors.isEmpty }

    func takes(_ request: ImportedRequest) -> Bool { selectors.contains { Self.takes(request, $0) } }

    /// The problem with the selectors that select nothing. Its hint lists names that exist. Nil if each selector selects
    /// something.
    func problem(among requests: [ImportedRequest]) -> ImportProblem? {
        let unmet = selectors.filter { selector in !requests.contains { Self.takes($0, selector) } }
        guard let first = unmet.first else { return nil }
        let quoted = unmet.map { "\"\(TerminalText.harmless($0))\"" }.joined(separator: " and ")
        var hint: String?
        if first.hasPrefix("tag:") {
            let tags = requests.flatMap { $0.tags + $0.folders }
            hint = Self.list("tags", tags) ?? "the source has no tags"
        } else if !first.contains(" ") {
            let names = requests.flatMap { [$0.key, $0.name].compactMap(\.self) }
            hint =
                NearNames.question(for: first, among: names)
                ?? Self.list("names", requests.compactMap { $0.key ?? $0.name })
        }
        return ImportProblem("--only \(quoted) selects no request of the source", at: nil, hint: hint, isUsage: true)
    }

    /// The maximum number of names in a hint, because a longer list would not help.
    private static let mostListed = 20

    private static func list(_ title: String, _ names: [String]) -> String? {
        if names.isEmpty { return nil }
        let names = Set(names).sorted()
        let shown = names.prefix(mostListed).map { TerminalText.harmless($0) }.joined(separator: ", ")
        return "\(title): \(shown)" + (names.count > mostListed ? " and \(names.count - mostListed) more" : "")
    }

    private static func takes(_ request: ImportedRequest, _ selector: String) -> Bool {
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

    /// Whether a string matches a pattern in which `*` stands for any characters.
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
