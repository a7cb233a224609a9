/// What is to be checked, as a person names it.
///
/// - `user.get`: an endpoint; `user`: else all endpoints of that group, at any depth
/// - `user.*`: a glob over ids
/// - `user.get/is there`: one check by its name, globs allowed on both sides
/// - `tag:smoke`: what carries the tag
package struct CaseSelector: Sendable, Equatable {
    enum Subject: Sendable, Equatable {
        case endpoint(Glob, check: Glob?)
        case tag(Glob)
    }

    package let text: String
    let subject: Subject

    package init(_ text: String) {
        self.text = text
        if text.hasPrefix("tag:") {
            subject = .tag(Glob(String(text.dropFirst(4))))
        } else if let slash = text.firstIndex(of: "/") {
            subject = .endpoint(
                Glob(String(text[..<slash])), check: Glob(String(text[text.index(after: slash)...])))
        } else {
            subject = .endpoint(Glob(text), check: nil)
        }
    }

    /// Whether a file that can't be read might hold something that is meant.
    func couldSelect(fromFile id: String) -> Bool {
        switch subject {
        case .tag: true
        case .endpoint(let glob, _) where glob.isLiteral:
            glob.text == id || glob.text.hasPrefix(id + ".") || id.hasPrefix(glob.text + ".")
        case .endpoint(let glob, _): glob.matches(id) || glob.couldMatch(textBeginningWith: id + ".")
        }
    }
}

// MARK: - Choosing among cases

/// One thing that could be checked.
struct Candidate {
    let endpointID: String
    /// The check's name; nil for what the endpoint itself expects, or for an endpoint that expects nothing.
    let checkName: String?
    let tags: [String]
}

extension CaseSelector {
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
