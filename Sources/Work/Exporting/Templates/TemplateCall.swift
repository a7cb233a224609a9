import RequestBuilding

/// A request in which open values are written as `{{name}}`.
struct TemplateCall {
    let request: OpenRequest
    let method: String
    /// The URL up to the query. A URL below the base URL begins with the placeholder of the base URL.
    let address: String
    /// Query items as they are in the URL, including credentials.
    let query: [Item]
    /// Query items of optional params that have no value; empty if the format doesn't write them.
    let unsent: [Item]
    /// The headers that the endpoint or its environment sets, without credentials.
    let headers: [Item]
    /// The type of the body, if the format doesn't add the type itself.
    let contentType: Item?
    let credentials: Credentials
    let body: Body

    struct Item {
        let name: String
        let value: String
        /// Whether the item has no equals sign.
        var isBare = false

        var isContentType: Bool { name.lowercased() == "content-type" }
    }

    enum Credentials {
        case none
        case bearer(String)
        case basic(user: String, password: String)
        case digest(user: String, password: String)
        case key(inQuery: Bool, name: String, value: String)
        case aws(AWSSignature, inQuery: Bool)
        /// A client with a token endpoint, if the format can get tokens.
        case oauth2(OAuthClient)
    }

    enum Body {
        case none
        /// JSON with placeholders, indented.
        case json(String)
        case graphQL(query: String, variables: String?, whole: String)
        case text(String)
        case form([Item])
        case multipart([OpenPart])
        /// A file, with its path below the workspace's folder.
        case file(String)
        /// Bytes that aren't text.
        case bytes([UInt8])
    }

    var url: String { url(with: query) }

    func url(with query: [Item]) -> String {
        let items = query.map { $0.isBare ? $0.name : "\($0.name)=\($0.value)" }
        return items.isEmpty ? address : "\(address)?\(items.joined(separator: "&"))"
    }
}
