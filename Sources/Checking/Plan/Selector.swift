package import Definitions

/// Which endpoints and cases are meant, as a person names them.
///
/// - `user.get`: an endpoint; `user`: else all endpoints of that group, at any depth
/// - `user.*`: a glob over ids
/// - `user.get/is there`: one check by its name, globs allowed on both sides
/// - `tag:smoke`: what carries the tag
package struct Selector: Sendable, Equatable {
    enum Subject: Sendable, Equatable {
        case endpoint(Glob, check: Glob?)
        case tag(Glob)
    }

    package static let tagPrefix = "tag:"

    package let text: String
    let subject: Subject

    package init(_ text: String) {
        self.text = text
        if text.hasPrefix(Self.tagPrefix) {
            subject = .tag(Glob(String(text.dropFirst(Self.tagPrefix.count))))
        } else if let slash = text.firstIndex(of: "/") {
            subject = .endpoint(
                Glob(String(text[..<slash])), check: Glob(String(text[text.index(after: slash)...])))
        } else {
            subject = .endpoint(Glob(text), check: nil)
        }
    }

    /// Whether a file that can't be read might hold something that is meant.
    package func couldSelect(fromFile id: String) -> Bool {
        switch subject {
        case .tag: true
        case .endpoint(let glob, _) where glob.isLiteral:
            glob.text == id || glob.text.hasPrefix(id + ".") || id.hasPrefix(glob.text + ".")
        case .endpoint(let glob, _): glob.matches(id) || glob.couldMatch(textBeginningWith: id + ".")
        }
    }
}

// MARK: - Choosing among cases

/// One thing that a selector can name.
struct Candidate {
    let endpointID: String
    /// The check's name; nil for what the endpoint itself expects, or for an endpoint that expects nothing.
    let checkName: String?
    let tags: [String]
}

extension Selector {
    /// Those of the endpoints that are meant, or of whose checks one is.
    package func selected(of endpoints: [LocatedEndpoint]) -> [LocatedEndpoint] {
        var owners: [LocatedEndpoint] = []
        let candidates = endpoints.flatMap { endpoint in
            let all = endpoint.candidates
            owners += all.map { _ in endpoint }
            return all
        }
        var ids: Set<String> = []
        return selected(among: candidates).map { owners[$0] }.filter { ids.insert($0.id).inserted }
    }

    /// The candidates that are meant, by their indexes.
    func selected(among candidates: [Candidate]) -> [Int] {
        switch subject {
        case .tag(let glob): return candidates.indices.filter { candidates[$0].tags.contains(where: glob.matches) }
        case .endpoint(let glob, let check):
            // An endpoint's own id means it alone, even where a group goes by the same name.
            let isGroup = glob.isLiteral && !candidates.contains { $0.endpointID == glob.text }
            return candidates.indices.filter { index in
                let candidate = candidates[index]
                let isMeant =
                    isGroup ? candidate.endpointID.hasPrefix(glob.text + ".") : glob.matches(candidate.endpointID)
                guard isMeant, let check else { return isMeant }
                return candidate.checkName.map(check.matches) ?? false
            }
        }
    }
}

extension LocatedEndpoint {
    /// It and its checks.
    fileprivate var candidates: [Candidate] {
        [Candidate(endpointID: id, checkName: nil, tags: tags)]
            + definition.checks.compactMap { check in
                check.name.map { Candidate(endpointID: id, checkName: $0.value, tags: tags + check.tags) }
            }
    }
}
