/// A value of the response that other requests use.
package struct ImportedCapture: Sendable, Equatable {
    package var name: String
    package var source: Source
    package var isSecret: Bool

    package enum Source: Sendable, Equatable {
        /// The value that a JSONPath selects.
        case json(String)
        /// A header. With a pattern, the part of the header that matches.
        case header(String, match: String? = nil)
        case cookie(String)
        case body, status, url

        /// A word for the name of the capture.
        var word: String {
            switch self {
            case .json(let path):
                path.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
                    .last { !$0.allSatisfy(\.isNumber) }.map(String.init) ?? "body"
            case .header(let name, _), .cookie(let name): name
            case .body: "body"
            case .status: "status"
            case .url: "url"
            }
        }
    }

    package init(_ name: String, _ source: Source, isSecret: Bool = false) {
        self.name = name
        self.source = source
        self.isSecret = isSecret
    }
}

/// An endpoint that must be sent before a request.
struct ImportedNeed: Sendable, Equatable {
    /// The name before the dot in placeholders: `login` in `{{login.token}}`.
    var alias: String
    /// The id of the endpoint.
    var endpoint: String
    /// The names of the request's params that are passed to the endpoint.
    var params: [String] = []
}
