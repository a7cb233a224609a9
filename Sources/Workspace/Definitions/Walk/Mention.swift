package import ReqcliText

/// A part of a definition that names something, or that has a grammar of its own, with its place.
package enum Mention: Sendable {
    case placeholder(Located<Placeholder>)
    /// A JSONPath.
    case path(Located<String>)
    /// A regular expression.
    case pattern(Located<String>)
    /// A JSON Schema, or the name of a file with one.
    case schema(JSONValue)
}

/// A part of a definition that can be walked through. A rule picks the mentions that it judges.
package protocol Walkable {
    /// Visits all mentions, in the order of the keys in the file format.
    func walk(_ visit: (Mention) -> Void)
}

extension Walkable {
    package var placeholders: [Located<Placeholder>] {
        var all: [Located<Placeholder>] = []
        walk { mention in
            if case .placeholder(let placeholder) = mention { all.append(placeholder) }
        }
        return all
    }
}
