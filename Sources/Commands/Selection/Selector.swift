package import CommandLineKit
import Definitions

/// A word that selects endpoints: an id, a group, a glob such as `user.*`, or a tag such as `tag:smoke`.
package struct Selector: Sendable {
    enum Kind: Sendable {
        /// An id, or the group above some.
        case name(String)
        case glob(Glob)
        case tag(String)
    }

    package let text: String
    let kind: Kind

    init(_ text: String) {
        self.text = text
        if text.hasPrefix(Self.tagPrefix) {
            kind = .tag(String(text.dropFirst(Self.tagPrefix.count)))
        } else if let glob = Glob(text) {
            kind = .glob(glob)
        } else {
            kind = .name(text)
        }
    }

    static let tagPrefix = "tag:"

    /// Those of the endpoints that it selects. Where a name is both an endpoint's and a group's, it is the endpoint's.
    func selected(of endpoints: [LocatedEndpoint]) -> [LocatedEndpoint] {
        switch kind {
        case .name(let name):
            let named = endpoints.filter { $0.id == name }
            return named.isEmpty ? endpoints.filter { $0.id.hasPrefix(name + ".") } : named
        case .glob(let glob): return endpoints.filter { glob.matches($0.id) }
        case .tag(let tag): return endpoints.filter { $0.tags.contains(tag) }
        }
    }

    /// Whether a file could hold such an endpoint, as far as its name tells.
    func couldSelect(from entry: Workspace.Entry) -> Bool {
        // An endpoint's id is its file's, or that with one more part.
        switch kind {
        case .name(let name):
            entry.id == name || name.hasPrefix(entry.id + ".") || entry.id.hasPrefix(name + ".")
        case .glob(let glob):
            entry.id.hasPrefix(glob.start) || glob.start.hasPrefix(entry.id)
        case .tag: true
        }
    }
}

extension Selector {
    /// The argument of a command that works on many endpoints.
    package static func argument(
        _ summary: String, completing completion: CompletionKind = .selector
    ) -> Argument<[Selector]> {
        Argument(rest: "SELECTOR", .selector(completing: completion), summary)
    }

    /// What a selector may be, for help.
    package static let section = TextSection(
        "Selectors",
        """
          user.get   one endpoint
          user       all of a group
          'user.*'   a pattern, with * for any text and ? for a character
          tag:smoke  those with this tag

        Several selectors select what any of them does.
        """)
}

extension ValueSpec where Value == Selector {
    fileprivate static func selector(completing completion: CompletionKind) -> ValueSpec {
        ValueSpec(
            "SELECTOR", expected: "an id, a group, a pattern or tag:NAME", completion: completion, text: { $0.text }
        ) { (text) throws(InvalidValue) in
            guard !text.isEmpty, text != Selector.tagPrefix else { throw InvalidValue() }
            return Selector(text)
        }
    }
}
