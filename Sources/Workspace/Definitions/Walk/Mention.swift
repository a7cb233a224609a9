package import ReqcliText

/// A part of a definition that refers to something by name, or that has its own syntax, such as a regular expression. Each
/// mention has its place.
package enum Mention: Sendable {
    case placeholder(Located<Placeholder>)
    /// A JSONPath.
    case path(Located<String>)
    /// A regular expression.
    case pattern(Located<String>)
    /// A JSON Schema, or the name of a file with one.
    case schema(JSONValue)
    /// The description of an API that a response must match.
    case description(OpenAPIExpectation)
    /// A file, by its path from the workspace's root.
    case file(TextTemplate)
    /// A file below `stubs/`.
    case stubFile(Located<String>)
    case environment(Located<String>)
    /// The id of an endpoint.
    case endpoint(Located<String>)
    /// A stub variant of an endpoint. The id is nil for the endpoint that the definition is about, and `*` for any endpoint.
    case variant(Located<String>, of: String?)
    /// A param of an endpoint. The id is nil for the endpoint that the definition is about.
    case parameter(Located<String>, of: String?)

    package var place: Place {
        switch self {
        case .placeholder(let placeholder): placeholder.place
        case .path(let text), .pattern(let text), .stubFile(let text), .environment(let text), .endpoint(let text),
            .variant(let text, _), .parameter(let text, _):
            text.place
        case .schema(let schema): schema.place
        case .description(let description): description.place
        case .file(let path): path.place
        }
    }
}

/// A part of a definition that can be walked through. A rule picks the mentions that it checks.
package protocol Walkable {
    /// Visits all mentions, in the order of the keys in the file format.
    func walk(_ visit: (Mention) -> Void)
}

extension Walkable {
    package var placeholders: [Located<Placeholder>] { Mention.placeholders(walk) }
}

extension Mention {
    static func placeholders(_ walk: ((Mention) -> Void) -> Void) -> [Located<Placeholder>] {
        var all: [Located<Placeholder>] = []
        walk { mention in
            if case .placeholder(let placeholder) = mention { all.append(placeholder) }
        }
        return all
    }
}
