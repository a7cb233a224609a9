package import Definitions
import NearNames
package import SourceText

extension Selector {
    /// That it selects nothing, with what may have been meant.
    ///
    /// - Parameters:
    ///   - otherWords: Words that mean something else where a selector may stand.
    ///   - mayBeVariant: Whether it may be what somebody wrote behind `--stub` and a blank.
    package func complaint(
        among endpoints: [LocatedEndpoint], otherWords: [String] = [], mayBeVariant: Bool = false
    ) -> Diagnostic {
        let ids = endpoints.map(\.id)
        switch subject {
        case .tag(let tag):
            let tags = Set(endpoints.flatMap { $0.tags + $0.definition.checks.flatMap(\.tags) }).sorted()
            return nothing(
                "nothing has the tag \"\(tag.text)\"",
                hint: NearNames.question(for: tag.text, among: tags)
                    ?? (tags.isEmpty ? "there are no tags" : "there are \(tags.joined(separator: ", "))"))
        case .endpoint(let glob, let check?) where ids.contains(where: glob.matches):
            let names = endpoints.filter { glob.matches($0.id) }
                .flatMap { $0.definition.checks.compactMap { $0.name?.value } }
            return nothing(
                "\(glob.text) has no check \"\(check.text)\"",
                hint: NearNames.question(for: check.text, among: names)
                    ?? (names.isEmpty ? "it has none" : "it has \(names.map { "\"\($0)\"" }.joined(separator: ", "))"))
        case .endpoint(let glob, _):
            let names = ids + Set(ids.flatMap(\.groups)).sorted() + otherWords
            let what = glob.isLiteral ? "there is no endpoint or group" : "no endpoint's id matches"
            let isVariant = glob.text.isVariant(among: endpoints)
            return nothing(
                "\(what) \"\(glob.text)\"",
                hint: mayBeVariant && isVariant
                    ? "it is a stub variant: write --stub=\(glob.text) to have it answer"
                    : NearNames.question(for: glob.nameForSuggestions, among: names)
                        ?? "run \"reqcli list\" to see what there is")
        }
    }

    private func nothing(_ message: String, hint: String) -> Diagnostic {
        Diagnostic(code: .selectionEmpty, message, at: nil, hint: hint)
    }
}

extension Glob {
    /// `usr.*` may well mean `user`.
    fileprivate var nameForSuggestions: String {
        let start = text.prefix { $0 != "*" && $0 != "?" }
        return String(start.hasSuffix(".") ? start.dropLast() : start)
    }
}

extension String {
    /// Whether it is the name of a variant, or `ENDPOINT=NAME`.
    fileprivate func isVariant(among endpoints: [LocatedEndpoint]) -> Bool {
        let parts = split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return endpoints.contains { endpoint in
            (parts.count == 1 || endpoint.id == parts[0])
                && endpoint.definition.stubs?.variants[named: parts[parts.count - 1]] != nil
        }
    }

    /// `a.b.c` is in `a` and in `a.b`.
    fileprivate var groups: [String] {
        indices.filter { self[$0] == "." }.map { String(self[..<$0]) }
    }
}

extension Diagnostic.Code {
    package static let selectionEmpty: Self = "selection.empty"
}
